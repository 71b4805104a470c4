/**
 * The pages of the sign-in and of the team in Chromium: on a screen and on a telephone, light and dark. axe-core finds nothing
 * wrong, everything fits the width, and a picture of each is left in `test/output/console`.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeCompany } from "../../support/companies.ts"
import { accessibilityProblems } from "../../support/accessibility.ts"
import { freePort } from "../../support/freePort.ts"
import { addMember, addPasskey, openSession } from "../../support/members.ts"
import { startService, type Service } from "../../support/service.ts"
import { phoneOf, type Phone } from "../app/phone.ts"
import { chromium, openBrowser, type Browser, type Page } from "../documents/browser.ts"

const screens = [
  ["desktop", { width: 1280, height: 900 }],
  ["phone", { width: 390, height: 844 }]
] as const

const looksRight = async (at: Phone, path: string, name: string) => {
  for (const isDark of [false, true]) {
    await at.dark(isDark)
    await at.open(path)
    await at.shoot(`${name}-${isDark ? "dark" : "light"}`)
    expect([path, await accessibilityProblems(at)]).toEqual([path, []])
  }
  expect([path, await at.fits()]).toEqual([path, true])
}

describe.skipIf(chromium === undefined && process.env["CI"] === undefined)("the pages of sign-in and team", () => {
  let service: Service
  let baseUrl: string
  let browser: Browser
  let page: Page
  let secrets: { readonly lacking: string; readonly owner: string; readonly waiting: string }
  beforeAll(async () => {
    const port = await freePort()
    baseUrl = `http://localhost:${port}`
    service = await startService({ PORT: String(port), BASE_URL: baseUrl })
    const { id } = await makeCompany(service, { name: "Harbour Cars <b>& Söhne</b>" })
    const other = await makeCompany(service, { name: "معرض الميناء" })
    const owner = await addMember(service, id, { email: "ann@harbour.example", role: "OWNER" })
    await addMember(service, other.id, { email: "ann@harbour.example", role: "TEAM" })
    const long = `${"somebody.with.a.long.name".repeat(2)}@${"department.".repeat(4)}harbour.example`
    const colleague = await addMember(service, id, { email: long, role: "TEAM" })
    await addPasskey(service, owner)
    await addPasskey(service, colleague)
    const strict = await makeCompany(service, { name: "Strict Cars" })
    const newcomer = await addMember(service, strict.id, { email: "new@strict.example", role: "TEAM" })
    await service.query("update companies set passkeys_required = true where id = $1", [strict.id])
    secrets = {
      lacking: await openSession(service, newcomer),
      owner: await openSession(service, owner),
      waiting: await openSession(service, colleague)
    }
    await service.query("update console_sessions set is_waiting_for_passkey = member_id = $1", [colleague])
    browser = await openBrowser(chromium ?? "chromium")
    page = await browser.newPage()
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  const becomes = (secret: string) =>
    page.command("Network.setCookie", { name: "journeys-console", value: secret, url: baseUrl })

  it.each(screens)(
    "are right on a %s",
    async (name, screen) => {
      const at = await phoneOf(page, baseUrl, "console", screen)
      await page.command("Network.clearBrowserCookies")
      await looksRight(at, "/console/sign-in", `sign-in-${name}`)
      await looksRight(at, `/console/sign-in/${"A".repeat(43)}`, `link-ended-${name}`)
      await becomes(secrets.waiting)
      await looksRight(at, "/console/sign-in/passkey", `passkey-${name}`)
      await becomes(secrets.lacking)
      await looksRight(at, "/console/sign-in/first-passkey", `first-passkey-${name}`)
      await becomes(secrets.owner)
      await looksRight(at, "/console/companies", `companies-${name}`)
      await looksRight(at, "/console/team", `team-${name}`)
      await service.query("update console_sessions set opened_at = opened_at - interval '10 minutes'")
      await looksRight(at, "/console/team", `team-late-${name}`)
      await service.query("update console_sessions set opened_at = opened_at + interval '10 minutes'")
      expect(page.complaints).toEqual([])
    },
    240_000
  )
})

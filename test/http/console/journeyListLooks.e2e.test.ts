/**
 * The page of journeys in a real browser: more rows come below without leaving the page, nothing keeps people out, and it is
 * looked at on a desktop and a telephone, light and dark. Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accessibilityProblems } from "../../support/accessibility.ts"
import { start, startBody } from "../../support/companies.ts"
import { phoneOf, type Phone } from "../app/phone.ts"
import { chromium, openPage, type Page } from "../documents/browser.ts"
import { startConsole, type ConsoleGround } from "./consoleGround.ts"

const isCi = process.env["CI"] === "true"
const path = "/console/journeys"
const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }
const shapes = ["CASH_SALE", "IDENTITY_DELIVERY", "FINANCE_ALREADY_SUBMITTED", "FINANCE_SUBMIT_VIA_MIRA"] as const

describe.skipIf(chromium === undefined && !isCi)("the page of journeys, in Chromium", { timeout: 180_000 }, () => {
  let ground: ConsoleGround
  let page: Page
  let phone: Phone

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the console")
    ground = await startConsole({ settings: { sandbox: { pace: "manual" } } })
    for (let at = 0; at < 45; at++) {
      const body = startBody(shapes[at % shapes.length] ?? "CASH_SALE")
      body.vehicle.registration = at === 44 ? "مرحبا <b>x</b>" : `AB${at} CDE`
      if (at === 44) Object.assign(body.customer, { firstName: "مريم", lastName: "<b>x</b> غارسيا" })
      expect((await start(ground.service, ground.company.testKey, body)).status).toBe(202)
    }
    page = await openPage(chromium, "about:blank")
    phone = await phoneOf(page, ground.service.baseUrl, "console")
    for (const [name, value] of ground.team.cookies) {
      await page.command("Network.setCookie", { name, value, url: ground.service.baseUrl, httpOnly: true })
    }
  })
  afterAll(async () => {
    await page?.close()
    await ground?.service.stop()
  })

  it("shows more below until nothing is left, without leaving the page", async () => {
    const rows = "document.querySelectorAll('tbody tr:not(.more)').length"
    await phone.open(`${path}?mode=TEST`)
    await page.until(`${rows} === 20`)
    await page.evaluate("window.sameDocument = true")
    await phone.press("Show more")
    await page.until(`${rows} === 40`)
    await phone.press("Show more")
    await page.until(`${rows} === 45 && document.querySelector('.more') === null`)
    expect(await page.evaluate("window.sameDocument")).toBe(true)
    expect(page.complaints).toEqual([])
  })

  it("is looked at: everything fits and keeps nobody out, light and dark, on a telephone and a desktop", async () => {
    const pages = { list: path, empty: `${path}?status=EXPIRED&waitedFor=168` }
    for (const [size, { height, width }] of Object.entries(sizes)) {
      const screen = await phoneOf(page, ground.service.baseUrl, "console", { width, height })
      await page.command("Emulation.setDeviceMetricsOverride", {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: size === "phone"
      })
      for (const isDark of [false, true]) {
        await screen.dark(isDark)
        for (const [name, at] of Object.entries(pages)) {
          await screen.open(at)
          await screen.waitFor("Search all journeys")
          await screen.shoot(`journeys-${name}-${size}-${isDark ? "dark" : "light"}`)
          expect([name, size, isDark, await screen.fits()]).toEqual([name, size, isDark, true])
          expect([name, size, isDark, await accessibilityProblems(page)]).toEqual([name, size, isDark, []])
        }
      }
    }
    expect(page.complaints).toEqual([])
  })
})

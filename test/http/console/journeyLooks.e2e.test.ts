/**
 * The page of a journey in a real browser: it advances by itself, and is looked at on a desktop and a telephone, light and dark.
 * Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { journeyAt, simulate } from "../api/settings/reviewGround.ts"
import { openPhone, phoneOf, type Phone } from "../app/phone.ts"
import { accessibilityProblems } from "../../support/accessibility.ts"
import { startProxy, type Proxy } from "../../support/proxy.ts"
import { freshDatabase } from "../../support/service.ts"
import { chromium, openPage, type Page } from "../documents/browser.ts"
import type { ConsoleBrowser, ConsoleGround } from "./consoleGround.ts"
import { startJourneyConsole } from "./journeyGround.ts"

const isCi = process.env["CI"] === "true"
const patience = { timeout: 180_000 }
const folder = "console"
const desktop = { width: 1280, height: 900 }

describe.skipIf(chromium === undefined && !isCi)("a journey's page, in Chromium", patience, () => {
  let ground: ConsoleGround
  let proxy: Proxy
  let page: Page
  let phone: Phone

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the console")
    proxy = await startProxy(await freshDatabase())
    ground = await startJourneyConsole({ DATABASE_URL: proxy.url })
    page = await openPage(chromium, "about:blank")
    phone = await phoneOf(page, ground.service.baseUrl, folder)
    await signIn(page, ground.team)
  })
  afterAll(async () => {
    await page?.close()
    await ground?.service.stop()
    await proxy?.close()
  })

  /** The page gets the cookies of somebody who is signed in. */
  const signIn = async (to: Page, { cookies }: ConsoleBrowser) => {
    for (const [name, value] of cookies) {
      await to.command("Network.setCookie", { name, value, url: ground.service.baseUrl, httpOnly: true })
    }
  }

  const journey = (shape: Parameters<typeof journeyAt>[2], event: string | null = null) =>
    journeyAt(ground.service, ground.company, shape, event)
  const move = (id: string, event: string) => simulate(ground.service, ground.company, id, event)

  const manyLines = (id: string) =>
    ground.service.query(
      `insert into journal (journey_id, version, message_id, sender, message, at)
       select $1, -v, gen_random_uuid(), 'timer', '{"_tag":"SandboxHeld"}', now() from generate_series(1, 60) v`,
      [id]
    )
  /** The words of an outcome stand among those that can be forced, too. */
  const isComplete = "document.querySelectorAll('.steps .done').length === 3"
  const lines = "document.querySelectorAll('.timeline > li').length"

  /** From now on the page gets no answer about so many lines until `window.letGo()`; `window.held` are those it waits for. */
  const holdAnswers = (about: number) =>
    page.evaluate(`(() => {
      const fetchNow = window.fetch
      window.held = []
      window.letGo = () => { window.fetch = fetchNow; return Promise.allSettled(window.held.map((go) => go())) }
      window.fetch = (to, asked) => !String(to).includes("lines=${about}") ? fetchNow(to, asked) : new Promise((take, fail) => {
        asked.signal?.addEventListener("abort", () => fail(asked.signal.reason))
        window.held.push(() => fetchNow(to, asked).then(take, fail))
      })
      return true
    })()`)

  it("advances by itself, step by step, and keeps the lines that somebody asked for", async () => {
    const { id } = await journey("IDENTITY_DELIVERY")
    await phone.open(`/console/journeys/${id}`)
    await phone.waitFor("This page updates itself.")
    await page.evaluate("window.sameDocument = true")
    await move(id, "identity.under_review")
    await phone.waitFor("A review of the identity check")
    await move(id, "delivery.video_uploaded")
    await phone.waitFor("The video being checked")
    await move(id, "delivery.completed")
    await phone.waitFor("Nothing: the journey has ended.")
    await page.until(isComplete)
    expect(await page.evaluate("window.sameDocument")).toBe(true)
    expect(page.complaints).toEqual([])
  })

  it("shows more of the timeline without leaving the page, and still does after a change", async () => {
    const { id } = await journey("IDENTITY_DELIVERY")
    await manyLines(id)
    await phone.open(`/console/journeys/${id}`)
    await phone.waitFor("This page updates itself.")
    await page.until(`${lines} === 25`)
    await phone.press("Show more")
    await page.until(`${lines} === 50`)
    await phone.press("Show more")
    await page.until(`${lines} === 61`)
    await move(id, "identity.failed")
    await phone.waitFor("The identity check failed")
    await page.until(`${lines} === 63`)
    expect(page.complaints).toEqual([])
  })

  // The answer to a change that was under way came after the lines that somebody had asked for, and took them away again.
  it("keeps the lines that somebody asked for while an answer about fewer was under way", async () => {
    const { id } = await journey("IDENTITY_DELIVERY")
    await manyLines(id)
    await phone.open(`/console/journeys/${id}`)
    await phone.waitFor("This page updates itself.")
    await holdAnswers(25)
    await move(id, "identity.under_review")
    await page.until("window.held.length === 1")
    await phone.press("Show more")
    await page.until(`${lines} === 50`)
    await page.evaluate("window.letGo()")
    await move(id, "delivery.completed")
    await page.until(isComplete)
    await page.until(`${lines} === 50`)
    expect(page.complaints).toEqual([])
  })

  it("shows a change that came while somebody waited for more lines, and these lines", async () => {
    const { id } = await journey("IDENTITY_DELIVERY")
    await manyLines(id)
    await phone.open(`/console/journeys/${id}`)
    await phone.waitFor("This page updates itself.")
    await page.evaluate(`window.changes = 0; addEventListener("journey-changed", () => window.changes++)`)
    await holdAnswers(50)
    await phone.press("Show more")
    await page.until("window.held.length === 1")
    const before = Number(await page.evaluate("window.changes"))
    await move(id, "identity.under_review")
    await page.until(`window.changes > ${before}`)
    await page.evaluate("window.letGo()")
    await move(id, "delivery.completed")
    await page.until(isComplete)
    await page.until(`${lines} === 50`)
    expect(page.complaints).toEqual([])
  })

  it("keeps what it shows while the database is away, and goes on by itself", async () => {
    const { id } = await journey("IDENTITY_DELIVERY")
    await phone.open(`/console/journeys/${id}`)
    await phone.waitFor("This page updates itself.")
    proxy.refuse()
    await phone.waitFor("The database does not answer at the moment.")
    await phone.waitFor("The customer's identity check")
    proxy.heal()
    await phone.waitFor("This page updates itself.")
    await move(id, "identity.under_review")
    await phone.waitFor("A review of the identity check")
  })

  it("says that it updates itself no more when the session has ended", async () => {
    const { id } = await journey("IDENTITY_DELIVERY")
    const one = await openPhone(chromium ?? "", ground.service.baseUrl)
    await signIn(one, ground.owner)
    await one.open(`/console/journeys/${id}`)
    await one.waitFor("This page updates itself.")
    await ground.owner.submit("/console", {}, "/console/sign-out")
    await move(id, "identity.failed")
    // A page that asks for its part in the moment of the end is led to the sign-in, which says the same.
    await one.until(`/nobody is signed in|session has ended/i.test(document.body?.innerText ?? "")`)
    await one.close()
  })

  it("is looked at: everything fits, light and dark, on a telephone and a desktop", async () => {
    const journeys = {
      waiting: await journey("FINANCE_ALREADY_SUBMITTED", "identity.under_review"),
      failed: await journey("CASH_SALE", "delivery.cancelled"),
      completed: await journey("IDENTITY_DELIVERY", "delivery.completed")
    }
    const wide = await phoneOf(page, ground.service.baseUrl, folder, desktop)
    for (const [name, { id }] of Object.entries(journeys)) {
      for (const [size, screen] of [["desktop", wide] as const, ["phone", phone] as const]) {
        await page.command("Emulation.setDeviceMetricsOverride", {
          ...(size === "phone" ? { width: 390, height: 844 } : desktop),
          deviceScaleFactor: 1,
          mobile: size === "phone"
        })
        for (const isDark of [false, true]) {
          await screen.dark(isDark)
          await screen.open(`/console/journeys/${id}`)
          await screen.waitFor("What happened")
          expect([name, size, isDark, await accessibilityProblems(page)]).toEqual([name, size, isDark, []])
          await screen.shoot(`journey-${name}-${size}-${isDark ? "dark" : "light"}`)
        }
      }
      // A telephone lays a page out wider when something in it is wider.
      expect([name, await page.evaluate("document.documentElement.scrollWidth <= 390")]).toEqual([name, true])
    }
    expect(page.complaints).toEqual([])
  })
})

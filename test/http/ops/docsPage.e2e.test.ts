/** The page at /docs in a real browser. Skipped, by name, where there is no Chromium; in CI that is a failure. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventDocs, webhookDocs } from "../../../src/http/console/webhooks/verification.ts"
import { startService, type Service } from "../../support/service.ts"
import { chromium, openPage, type Page } from "../documents/browser.ts"

const isCi = process.env["CI"] === "true"

/** An expression for the first button or link with a text, however its words are spaced. */
const button = (text: string): string =>
  `[...document.querySelectorAll("a, button")].find((one) => one.innerText.replace(/\\s+/g, " ").includes(${JSON.stringify(text)}))`

describe.skipIf(chromium === undefined && !isCi)("the page at /docs, in Chromium", () => {
  let service: Service
  let page: Page

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the page at /docs")
    service = await startService()
    page = await openPage(chromium, `${service.baseUrl}/docs`)
    await page.until(`document.body.innerText.includes("Start a journey")`)
  })
  afterAll(async () => {
    await page?.close()
    await service?.stop()
  })

  const click = (text: string) => page.evaluate(`${button(text)}.click()`)

  it("shows the prose, the operations and the webhooks", async () => {
    for (const text of ["Idempotency", "Rate limits", "List journeys", "Webhooks"]) {
      await page.until(`document.body.innerText.includes(${JSON.stringify(text)})`)
    }
  })

  it("shows an operation with its example", async () => {
    await click("Start a journey")
    await page.until(`document.body.innerText.includes("Idempotency-Key")`)
    await page.until(`document.body.innerText.includes("priya.nair@example.com")`)
  })

  it("sends a test request to the service itself", async () => {
    await click("List journeys")
    await page.until(`${button("(get /api/v1/journeys)")} !== undefined`)
    await page.evaluate(`${button("(get /api/v1/journeys)")}.click()`)
    await page.until(`${button("Send get request")} !== undefined`)
    await page.evaluate(`${button("Send get request")}.click()`)
    await page.until(`document.body.innerText.includes('"INVALID_API_KEY"')`)
    expect(page.requested.some((url) => url.startsWith(`${service.baseUrl}/api/v1/journeys?`))).toBe(true)
  })

  it.each([
    ["settings", "Create a company"],
    ["callbacks", "Report a finance decision"]
  ])("shows the document for %s, too", async (slug, operation) => {
    await page.command("Page.navigate", { url: `${service.baseUrl}/docs?${slug}#${slug}` })
    await page.until(`document.body.innerText.includes(${JSON.stringify(operation)})`)
  })

  it("opens where the console's links point", async () => {
    for (const link of [webhookDocs, eventDocs]) {
      const [path, place = ""] = link.split("#")
      await page.command("Page.navigate", { url: `${service.baseUrl}${path}?${place}#${place}` })
      const top = `document.getElementById(${JSON.stringify(place)})?.getBoundingClientRect().top`
      await page.until(`Math.abs(${top}) < innerHeight`)
    }
  })

  it("does not move sideways on a telephone", async () => {
    const phone = { width: 390, height: 844, deviceScaleFactor: 2, mobile: true }
    await page.command("Emulation.setDeviceMetricsOverride", phone)
    await page.command("Page.navigate", { url: `${service.baseUrl}/docs` })
    await page.until(`document.body.innerText.includes("Start a journey")`)
    await page.until(`document.documentElement.scrollWidth === 390`)
    await page.command("Emulation.clearDeviceMetricsOverride")
  })

  it("has asked no other host for anything, and met no error or refusal of its policy", () => {
    expect(page.requested.length).toBeGreaterThan(0)
    const outside = page.requested.filter(
      (url) => !/^(?:data|blob):/.test(url) && new URL(url).origin !== new URL(service.baseUrl).origin
    )
    expect(outside).toEqual([])
    expect(page.complaints).toEqual([])
  })
})

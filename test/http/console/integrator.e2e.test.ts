/**
 * What an owner does first, in a real browser: makes a key, calls the API with it, sets an endpoint, pings it, sees the delivery,
 * sends it again and watches a resend of many. Each page is judged by axe-core in both themes, and photographed into
 * `test/output/console`. Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accessibilityProblems } from "../../support/accessibility.ts"
import { ask, start, startBody } from "../../support/companies.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { phoneOf, type Phone } from "../app/phone.ts"
import { chromium, openPage, type Page } from "../documents/browser.ts"
import { startConsole, type ConsoleBrowser, type ConsoleGround } from "./consoleGround.ts"

const isCi = process.env["CI"] === "true"

describe.skipIf(chromium === undefined && !isCi)("an owner in Chromium", { timeout: 240_000 }, () => {
  let ground: ConsoleGround
  let receiver: Receiver
  let page: Page
  let desk: Phone
  /** What is wrong with the looks of pages. */
  const problems: Array<string> = []

  beforeAll(async () => {
    ground = await startConsole({ settings: { sandbox: { pace: "manual" } } }, { WEBHOOK_ALLOW_INSECURE: "true" })
    receiver = await startReceiver()
    page = await openPage(chromium ?? "", "about:blank")
    desk = await phoneOf(page, ground.service.baseUrl, "console", { width: 1280, height: 900 })
    await signIn(ground.owner)
  }, 120_000)
  afterAll(async () => {
    await page?.close()
    await receiver?.stop()
    await ground?.service.stop()
  })

  const signIn = (browser: ConsoleBrowser) =>
    page.command("Network.setCookie", {
      name: "journeys-console",
      value: browser.cookies.get("journeys-console"),
      url: ground.service.baseUrl
    })

  const open = async (path: string) => {
    await desk.open(path)
    await page.until(`location.pathname === ${JSON.stringify(path)} && document.querySelector("h1") !== null`)
  }

  /** Colours change at once: in the middle of a change nothing can be judged. */
  const inTheme = (theme: string) =>
    page.command("Emulation.setEmulatedMedia", {
      features: [
        { name: "prefers-color-scheme", value: theme },
        { name: "prefers-reduced-motion", value: "reduce" }
      ]
    })

  /** The page in both themes, at a desk and on a telephone: fits, is readable, and everybody can use it. */
  const look = async (name: string) => {
    for (const [size, { height, width }] of Object.entries({
      desk: { width: 1280, height: 900 },
      phone: { width: 390, height: 844 }
    })) {
      await page.command("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false })
      for (const theme of ["light", "dark"]) {
        await inTheme(theme)
        const found = await accessibilityProblems(page)
        problems.push(...found.map((one) => `${name} ${size} ${theme}: ${one}`))
        const isFitting = await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if (isFitting !== true) problems.push(`${name} ${size}: is wider than the screen`)
        await desk.shoot(`${name}-${size}-${theme}`)
      }
    }
    await inTheme("light")
  }

  const fill = (selector: string, value: string) =>
    page.evaluate(`(() => { document.querySelector(${JSON.stringify(selector)}).value = ${JSON.stringify(value)} })()`)

  it("makes a key and calls the API with it", async () => {
    await ground.service.query("delete from api_keys where company_id = $1", [ground.company.id])
    await open("/console/keys")
    await look("keys-empty")
    await fill('input[name="name"]', "Showroom system")
    // Twice, as impatient people do: the answer to the first has the key.
    await page.evaluate(`(() => {
      const button = [...document.querySelectorAll("button")].find((one) => one.textContent.includes("Make the key"))
      button.click()
      button.click()
    })()`)
    await desk.waitFor("shown only now")
    const key = String(await page.evaluate('document.getElementById("once").textContent'))
    expect((await ask(ground.service, key, "/api/v1/journeys")).status).toBe(200)
    expect(await page.evaluate('document.querySelector("[data-copies]").checkVisibility()')).toBe(true)
    await desk.press("Copy the key")
    await page.until('/Copied|Selected/.test(document.querySelector("[data-copied]").textContent)')
    await look("key-once")
    await desk.press("I have copied the key")
    await desk.waitFor("First steps")
    await open("/console/keys")
    await desk.waitFor("Showroom system")
    await look("keys")
    await desk.press("Showroom system")
    await desk.waitFor("Rotate the key")
    await look("key")
    await desk.press("Revoke the key")
    await desk.waitFor("Revoke this key?")
    await look("key-revoke")
    expect([problems, page.complaints]).toEqual([[], []])
  })

  it("sets an endpoint, pings it, sees the delivery and sends it again", async () => {
    await open("/console/webhooks")
    await look("webhooks-empty")
    await desk.press("Set the test endpoint")
    await desk.waitFor("Set the endpoint")
    await look("webhook-empty")
    await fill('input[name="url"]', receiver.url)
    await desk.press("Set the endpoint")
    await desk.waitFor("This secret is shown only now")
    await look("secret-once")
    await desk.press("I have copied the secret")
    await desk.waitFor("Send a ping")
    await desk.press("Send a ping")
    await desk.waitFor("The ping was sent. Answered 200")
    await desk.press("Request headers")
    await desk.waitFor("Service-Signature")
    await look("delivery")
    await desk.press("Send it again")
    await desk.waitFor("The event is sent again.")
    // The page looks again by itself.
    await desk.waitFor("Attempt 2")
    await page.until('document.querySelector("#progress[hx-get]") === null')
    expect(receiver.received.map(({ headers }) => headers["service-event-type"])).toEqual(["ping", "ping"])
    expect([problems, page.complaints]).toEqual([[], []])
  })

  it("watches a resend of many that updates itself until it is done", async () => {
    await ground.service.query(
      "update webhook_endpoints set enabled = false, off_reason = 'BY_HAND', off_since = now()"
    )
    const made = await ground.owner.submit("/console/keys", {
      mode: "TEST",
      scopes: "journeys:write",
      form: crypto.randomUUID()
    })
    const fresh = /id="once"[^>]*>(svc_[^<]+)</.exec(made.text)?.[1] ?? ""
    for (let at = 0; at < 12; at++) await start(ground.service, fresh, startBody("FINANCE_ALREADY_SUBMITTED"))
    await open("/console/webhooks/test")
    await desk.waitFor("Turned off by hand")
    await desk.press("Turn it on")
    await page.evaluate(`document.querySelector('form[action$="/switch"] button').click()`)
    await desk.waitFor("The endpoint is on.")
    // The receiver answers once the page was seen to wait for it.
    const watched = Promise.withResolvers<void>()
    receiver.answer((_request, response) => void watched.promise.then(() => response.writeHead(200).end()))
    await page.evaluate(`document.querySelector('form[action$="/resend"] button').click()`)
    await desk.waitFor("Events sent again")
    await page.until('document.querySelector("#progress[hx-get]") !== null')
    watched.resolve()
    await page.until('document.querySelector("#progress")?.innerText.includes("Done") === true')
    await page.until('document.querySelector("#progress[hx-get]") === null')
    await look("resend")
    expect([problems, page.complaints]).toEqual([[], []])
  })

  it("sees how deliveries went: charts, the log, and why an endpoint was turned off", async () => {
    await ground.service.query(
      `insert into endpoint_hours (endpoint_id, hour, step, delivered, failed)
       select w.id, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', 22 + h % 9, 20 + (h * 7) % 40,
         case when h % 6 = 0 then 9 else 0 end
       from webhook_endpoints w, generate_series(1, 22) h on conflict do nothing`
    )
    await open("/console/webhooks")
    await look("webhooks")
    await open("/console/webhooks/test/deliveries")
    await look("deliveries")
    await ground.service.query(
      `update webhook_endpoints set enabled = false, off_reason = 'UNREACHABLE', off_since = now() - interval '1 hour',
         failing_since = now() - interval '73 hours'`
    )
    await open("/console/webhooks/test")
    await desk.waitFor("every attempt has failed")
    await desk.press("The numbers of each hour")
    await look("webhook-off")
    await ground.service.query("update webhook_endpoints set enabled = true, off_reason = null, off_since = null")
    await open("/console/webhooks/test")
    await look("webhook")
    await signIn(ground.team)
    await open("/console/webhooks/test")
    await look("webhook-team")
    expect([problems, page.complaints]).toEqual([[], []])
  })
})

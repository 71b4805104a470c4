/**
 * Pages that are left open, in a real browser: a list renews itself and loses nothing of what somebody does, two reviewers see each other, and
 * a ready reason is chosen. Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accessibilityProblems } from "../../support/accessibility.ts"
import { askSettings, start, startBody } from "../../support/companies.ts"
import { startReceiver } from "../../support/receivers.ts"
import { phoneOf, type Phone } from "../app/phone.ts"
import { chromium, openBrowser, type Browser } from "../documents/browser.ts"
import { startConsole, type ConsoleBrowser, type ConsoleGround } from "./consoleGround.ts"
import { identityReview } from "./reviewsGround.ts"

const isCi = process.env["CI"] === "true"
const desk = { width: 1280, height: 900 }
const narrow = { width: 360, height: 800 }
const list = "/console/journeys?mode=TEST"

/** The page does not wait for its half minute: its script looks every second whether it is time. */
const isDue = `document.querySelectorAll("[data-renewed-every]").forEach((one) => { one.dataset.renewedEvery = "0" })`

/** Every request of a part so far, so that a test can wait for the next one. */
const countFetches = `window.fetches = 0; document.addEventListener("htmx:after:request", () => { window.fetches++ })`

describe.skipIf(chromium === undefined && !isCi)("pages that are left open, in Chromium", { timeout: 240_000 }, () => {
  let ground: ConsoleGround
  let browser: Browser
  let screen: Phone

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the console")
    ground = await startConsole(
      {
        credits: 20,
        settings: {
          sandbox: { pace: "manual" },
          identityProvider: { kind: "BUILT_IN" },
          rejectionReasons: "The document has expired\nThe photo is too blurred to read"
        }
      },
      { WEBHOOK_ALLOW_INSECURE: "true" }
    )
    browser = await openBrowser(chromium)
    screen = await signedIn(ground.team)
  })
  afterAll(async () => {
    await browser?.close()
    await ground?.service.stop()
  })

  const signedIn = async (who: ConsoleBrowser, size = desk): Promise<Phone> => {
    const page = await phoneOf(await browser.newPage(), ground.service.baseUrl, "console", size)
    await page.command("Network.setCookie", {
      name: "journeys-console",
      value: who.cookies.get("journeys-console"),
      url: ground.service.baseUrl,
      httpOnly: true
    })
    return page
  }

  const begin = async (registration: string) => {
    const body = startBody("CASH_SALE")
    body.vehicle.registration = registration
    expect((await start(ground.service, ground.company.testKey, body)).status).toBe(202)
  }

  it("shows a journey that has come meanwhile, on the same page", async () => {
    await begin("AA11 AAA")
    await screen.open(list)
    await screen.waitFor("AA11 AAA")
    await screen.waitFor("It renews itself, but not while you work in it.")
    await screen.evaluate("window.sameDocument = true; document.querySelector('#search-search').value = 'half a wo'")
    await begin("BB22 BBB")
    await screen.until(`${isDue}; document.querySelector("#list").innerText.includes("BB22 BBB")`)
    expect(await screen.evaluate("[window.sameDocument, document.querySelector('#search-search').value].join()")).toBe(
      "true,half a wo"
    )
    await screen.waitFor("It renews itself, but not while you work in it.")
    expect(screen.complaints).toEqual([])
    expect(await accessibilityProblems(screen)).toEqual([])
    await screen.shoot("journeys-renewed")
  })

  it("leaves the list alone while the focus is in it", async () => {
    await screen.open(list)
    await screen.waitFor("BB22 BBB")
    await screen.evaluate(`${countFetches}; document.querySelector("#list tbody a").focus()`)
    await begin("CC33 CCC")
    // The part of a page that is not used is fetched: the script has looked at both.
    await screen.evaluate(
      `document.querySelector("main").insertAdjacentHTML("beforeend", '<div id="other" data-renewed-every="0"></div>');
       document.querySelector("#other").addEventListener("renew", () => { window.looked = true })`
    )
    await screen.until(`${isDue}; window.looked === true`)
    expect(await screen.evaluate("window.fetches")).toBe(0)
    expect(await screen.evaluate("document.activeElement.innerText")).toBe("BB22 BBB")
    await screen.evaluate("document.activeElement.blur()")
    await screen.waitFor("CC33 CCC")
  })

  it("keeps the rows that were asked for below, and says that it rests", async () => {
    for (let at = 0; at < 20; at++) await begin(`DD${at} DDD`)
    await screen.open(list)
    await screen.press("Show more")
    await screen.waitFor("AA11 AAA")
    await screen.waitFor("It does not renew itself while it shows more than its beginning.")
    await screen.evaluate(
      `${countFetches}; document.querySelector("main").insertAdjacentHTML("beforeend", '<div id="other" data-renewed-every="0"></div>');
       document.querySelector("#other").addEventListener("renew", () => { window.looked = true })`
    )
    await screen.until(`${isDue}; window.looked === true`)
    expect(await screen.evaluate("window.fetches")).toBe(0)
  })

  it("shows on the overview what has happened meanwhile, and keeps what was chosen below", async () => {
    await screen.open("/console")
    await screen.waitFor("As of")
    await screen.evaluate("window.sameDocument = true")
    const waiting = `document.querySelector("#list .waits-for").innerText`
    const before = await screen.evaluate(waiting)
    await begin("EE55 EEE")
    await screen.until(`${isDue}; ${waiting} !== ${JSON.stringify(before)}`)
    expect(await screen.evaluate("window.sameDocument")).toBe(true)
    expect(await accessibilityProblems(screen)).toEqual([])
    await screen.shoot("overview-renewed")
    const phone = await signedIn(ground.team, narrow)
    await phone.open("/console")
    await phone.waitFor("As of")
    await phone.shoot("overview-renewed-phone")
    expect(await phone.fits()).toBe(true)
    expect([screen.complaints, phone.complaints]).toEqual([[], []])
  })

  it("shows in the log of requests what programs have asked meanwhile, and the refusals by code", async () => {
    const path = "/console/requests?mode=TEST"
    await screen.open(path)
    await screen.waitFor("As of")
    await screen.evaluate("window.sameDocument = true; document.querySelector('#filter-journeyId').value = 'half an i'")
    const refused = await start(ground.service, ground.company.testKey, {})
    expect(refused.status).toBe(400)
    const requestId = refused.headers.get("request-id") ?? "no id"
    await screen.until(`${isDue}; document.querySelector("#list").innerText.includes("${requestId}")`)
    await screen.until(`${isDue}; document.querySelector("#refused").innerText.includes("by code")`)
    expect(
      await screen.evaluate("[window.sameDocument, document.querySelector('#filter-journeyId').value].join()")
    ).toBe("true,half an i")
    await screen.shoot("requests-renewed")
    const phone = await signedIn(ground.team, narrow)
    await phone.open(path)
    await phone.waitFor("As of")
    await phone.shoot("requests-renewed-phone")
    expect(await phone.fits()).toBe(true)
    expect([screen.complaints, phone.complaints]).toEqual([[], []])
  })

  it("shows in the delivery log what has been owed meanwhile", async () => {
    const receiver = await startReceiver()
    const endpoint = await askSettings(ground.service, `/companies/${ground.company.id}/webhook-endpoints/test`, {
      method: "PUT",
      body: { url: receiver.url }
    })
    expect(endpoint.status).toBeLessThan(300)
    await screen.open("/console/webhooks/test/deliveries")
    await screen.waitFor("As of")
    await screen.evaluate("window.sameDocument = true")
    await begin("FF66 FFF")
    await screen.until(`${isDue}; document.querySelector("#list table") !== null`)
    expect(await screen.evaluate("window.sameDocument")).toBe(true)
    await screen.shoot("deliveries-renewed")
    const phone = await signedIn(ground.team, narrow)
    await phone.open("/console/webhooks/test/deliveries")
    await phone.waitFor("As of")
    await phone.shoot("deliveries-renewed-phone")
    await receiver.stop()
    expect(await phone.fits()).toBe(true)
    expect([screen.complaints, phone.complaints]).toEqual([[], []])
  })

  it("tells two reviewers of each other while both look, and the slower one that the review is over", async () => {
    const { reviewId } = await identityReview(ground.service, ground.company, { firstName: "Ann", lastName: "Buyer" })
    const phone = await signedIn(ground.owner, { width: 390, height: 844 })
    await screen.open(`/console/reviews/${reviewId}`)
    await screen.evaluate("document.querySelector('#reason-approve').value = 'The same person, as'")
    await phone.open(`/console/reviews/${reviewId}`)
    await phone.waitFor("team@people.example has this review open, too")
    await screen.until(`${isDue}; document.body.innerText.includes("owner@people.example has this review open, too")`)
    await screen.shoot("review-together")
    await phone.shoot("review-together-phone")
    expect(await phone.fits()).toBe(true)
    expect(await accessibilityProblems(screen)).toEqual([])
    const others = await signedIn(ground.owner)
    await others.open("/console/reviews")
    await others.waitFor("Open: team@people.example since")
    await others.shoot("reviews-together")
    await phone.evaluate(`document.querySelector("#reason-approve").value = "The same person, as the photos show"`)
    await phone.press("Approve the identity")
    await phone.waitFor("Approved.")
    await screen.until(`${isDue}; document.body.innerText.includes("This review is over.")`)
    await screen.waitFor("by owner@people.example")
    expect(await screen.evaluate("document.querySelector('#reason-approve').value")).toBe("The same person, as")
    await screen.shoot("review-over-meanwhile")
    expect([screen.complaints, phone.complaints, others.complaints]).toEqual([[], [], []])
  })

  it("puts the ready reason that is chosen into the field, in place of the one before and behind what was written", async () => {
    const { reviewId } = await identityReview(ground.service, ground.company, { firstName: "Bob", lastName: "Buyer" })
    await screen.open(`/console/reviews/${reviewId}`)
    const choose = (at: number) =>
      screen.evaluate(`(() => {
        const choice = document.querySelector("[data-fills=reason-reject]")
        choice.selectedIndex = ${at}
        choice.dispatchEvent(new Event("change", { bubbles: true }))
        return document.querySelector("#reason-reject").value
      })()`)
    await screen.until(`document.querySelector("[data-ready-reasons]")?.checkVisibility() === true`)
    expect(await screen.evaluate("document.querySelectorAll('[data-ready-reasons]').length")).toBe(1)
    expect(await choose(1)).toBe("The document has expired")
    expect(await choose(2)).toBe("The photo is too blurred to read")
    expect(await choose(0)).toBe("")
    await screen.evaluate("document.querySelector('#reason-reject').value = 'Sorry.'")
    expect(await choose(2)).toBe("Sorry. The photo is too blurred to read")
    expect(await accessibilityProblems(screen)).toEqual([])
    await screen.shoot("review-ready-reasons")
    await screen.press("Reject the identity check")
    await screen.waitFor("Rejected.")
  })

  it("takes a ready reason where no script runs, behind what was written", async () => {
    const { journeyId, reviewId } = await identityReview(ground.service, ground.company, {
      firstName: "Cat",
      lastName: "Buyer"
    })
    const plain = await signedIn(ground.team, narrow)
    await plain.command("Emulation.setScriptExecutionDisabled", { value: true })
    await plain.open(`/console/reviews/${reviewId}`)
    await plain.until(`document.querySelector("[data-ready-reasons]")?.checkVisibility() === true`)
    await plain.shoot("review-ready-reasons-plain")
    await plain.evaluate(
      `document.querySelector("#reason-reject").value = "Sorry."; document.querySelector("[data-fills=reason-reject]").selectedIndex = 2`
    )
    await plain.press("Reject the identity check")
    await plain.waitFor("Rejected.")
    await plain.open(`/console/journeys/${journeyId}`)
    await plain.waitFor("Sorry. The photo is too blurred to read")
  })
})

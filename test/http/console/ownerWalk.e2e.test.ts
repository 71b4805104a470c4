/**
 * A new owner and a clerk in one piece, in a real browser and with their mails alone: from the invitation to a key, the API, an
 * endpoint, a delivery that is sent again, a clerk who is invited, decides a review and watches a journey advance, and whose session the
 * owner ends. How the pages look is tested elsewhere. Skipped, by name, where there is no Chromium; in CI that is a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { freePort } from "../../support/freePort.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { startService, type Service } from "../../support/service.ts"
import { phoneOf, type Phone } from "../app/phone.ts"
import { chromium, openBrowser, type Browser } from "../documents/browser.ts"
import { identityReview } from "./reviewsGround.ts"

const isCi = process.env["CI"] === "true"
const [boss, clerk] = ["boss@harbour.example", "clerk@harbour.example"]

const fill = (page: Phone, selector: string, value: string) =>
  page.evaluate(`(() => { document.querySelector(${JSON.stringify(selector)}).value = ${JSON.stringify(value)} })()`)
const open = async (page: Phone, path: string) => {
  await page.open(path)
  await page.until(`location.pathname === ${JSON.stringify(path)} && document.querySelector("h1") !== null`)
}

describe.skipIf(chromium === undefined && !isCi)("a new owner and a clerk, in Chromium", { timeout: 240_000 }, () => {
  let service: Service
  let company: TestCompany
  let receiver: Receiver
  let browser: Browser
  let owner: Phone
  let team: Phone
  let key: string

  beforeAll(async () => {
    const port = await freePort()
    const baseUrl = `http://localhost:${port}`
    service = await startService({
      PORT: String(port),
      BASE_URL: baseUrl,
      WEBHOOK_ALLOW_INSECURE: "true",
      SANDBOX_STEP: "1 second",
      SANDBOX_CALLER_STEP: "1 second"
    })
    company = await makeCompany(service, {
      adminEmail: boss,
      credits: 5,
      invite: true,
      settings: { identityProvider: { kind: "BUILT_IN" } }
    })
    receiver = await startReceiver()
    browser = await openBrowser(chromium ?? "")
    const desk = { width: 1280, height: 900 }
    owner = await phoneOf(await browser.newPage(), baseUrl, "console", desk)
    team = await phoneOf(await browser.newPage(), baseUrl, "console", desk)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await receiver?.stop()
    await service?.stop()
  })

  /** Opens the newest mail of this kind to the address, follows its link and presses the button there. */
  const signInFromMail = async (page: Phone, to: string) => {
    const { content } = await eventually(
      async () => (await askSettings(service, `/mail?to=${to}`)).data,
      (data) => data.content.some((mail: { readonly kind: string }) => mail.kind === "INVITATION")
    )
    const { text } = content.find((mail: { readonly kind: string }) => mail.kind === "INVITATION")
    await page.open(/http:\/\/localhost:\d+(\/console\/sign-in\/\S+)/.exec(text)?.[1] ?? "")
    await page.press("Sign in")
    await page.until(`location.pathname === "/console"`)
  }

  it("the owner comes from the invitation, makes a test key, and the API takes it", async () => {
    await signInFromMail(owner, boss)
    await owner.waitFor("First steps")
    await open(owner, "/console/keys")
    await owner.press("Make a key")
    await fill(owner, 'input[name="name"]', "Showroom system")
    await owner.press("Make the key")
    await owner.waitFor("shown only now")
    key = String(await owner.evaluate('document.getElementById("once").textContent'))
    expect((await ask(service, key, "/api/v1/journeys")).status).toBe(200)
  })

  it("the owner sets an endpoint, pings it, sees the delivery and sends it again", async () => {
    await open(owner, "/console/webhooks/test")
    await fill(owner, 'input[name="url"]', receiver.url)
    await owner.press("Set the endpoint")
    await owner.waitFor("This secret is shown only now")
    await owner.press("I have copied the secret")
    await owner.waitFor("Send a ping")
    await owner.press("Send a ping")
    await owner.waitFor("The ping was sent. Answered 200")
    await owner.press("Send it again")
    await owner.waitFor("Attempt 2")
    expect(receiver.received.map(({ headers }) => headers["service-event-type"])).toEqual(["ping", "ping"])
  })

  it("the clerk comes from the owner's invitation, and decides an identity review with its case file", async () => {
    await open(owner, "/console/team")
    await fill(owner, '#invite input[name="email"]', clerk)
    await owner.press("Send the invitation")
    await owner.waitFor("The invitation is being mailed")
    await signInFromMail(team, clerk)
    const ann = { firstName: "Ann", lastName: "Buyer", notes: "Ring twice." }
    const { journeyId } = await identityReview(service, company, ann)
    await open(team, "/console/reviews")
    await team.press("Ann Buyer")
    await team.waitFor("Review: identity check")
    await team.waitFor("Ring twice.")
    await fill(team, "#reason-approve", "Document and selfie show one person")
    await team.press("Approve the identity")
    await team.waitFor("Approved.")
    const { data } = await askSettings(service, `/companies/${company.id}/journeys/${journeyId}`)
    expect(data.journey.identity.status).toBe("VERIFIED")
  })

  it("the clerk watches a test journey advance by itself to its end", async () => {
    const { data } = await start(service, key, startBody("CASH_SALE"))
    await open(team, `/console/journeys/${data.id}`)
    await team.evaluate("window.isSamePage = true")
    await team.until(
      `document.querySelector("main").innerText.includes("handover.completed") || document.querySelector("main").innerText.includes("delivery.completed")`
    )
    expect(await team.evaluate("window.isSamePage")).toBe(true)
    await eventually(
      () => Promise.resolve(receiver.received),
      (all) => all.some(({ headers }) => headers["service-event-type"] === "journey.completed")
    )
  })

  it("the owner ends the clerk's session, and the clerk's next click says so", async () => {
    await open(owner, "/console/team")
    await owner.press("End")
    await owner.waitFor("The session was ended")
    // The page of the journey that the clerk watches asks for news: on a busy machine it learns of the end before the click.
    await team.until(
      `location.pathname === "/console/sign-in" || [...document.querySelectorAll("a")].find((link) => link.innerText.includes("Reviews"))?.click()`
    )
    await team.waitFor("You are not signed in any more: your session has ended.")
    expect([owner.complaints, team.complaints]).toEqual([[], []])
  })
})

/**
 * The customer's app in a real browser at the size of a telephone, with its screenshots. Skipped, by name, where there is
 * no Chromium; in CI that is a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { startWithPhoto } from "../../support/multipart.ts"
import { startService, type Service } from "../../support/service.ts"
import { chromium } from "../documents/browser.ts"
import { newLink } from "./customer.ts"
import { openPhone, type Phone } from "./phone.ts"

const isCi = process.env["CI"] === "true"

describe.skipIf(chromium === undefined && !isCi)("the customer's app on a telephone, in Chromium", () => {
  let service: Service
  let company: TestCompany
  let phone: Phone

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the customer's app")
    service = await startService()
    company = await makeCompany(service, {
      name: "Harbour Cars",
      credits: 100,
      settings: { identityProvider: { kind: "BUILT_IN" } }
    })
    phone = await openPhone(chromium, service.baseUrl)
  })
  afterAll(async () => {
    await phone?.close()
    await service?.stop()
  })

  const startOf = async (shape: "CASH_SALE" | "FINANCE_SALE", change: (body: any) => void = () => {}, key?: string) => {
    const body = startBody(shape)
    change(body)
    const answer =
      shape === "CASH_SALE"
        ? await start(service, key ?? company.liveKey, body)
        : await startWithPhoto(service, key ?? company.liveKey, body)
    expect(answer.status).toBe(202)
    return answer.data.id as string
  }

  const signedIn = async (link: string) => {
    await phone.open(link)
    await phone.press("Continue")
    await phone.waitFor("Your steps")
  }

  const shootBoth = async (name: string) => {
    await phone.shoot(name)
    await phone.dark(true)
    await phone.shoot(`${name}-dark`)
    await phone.dark(false)
    expect(await phone.fits(), name).toBe(true)
  }

  it("leads from the link to the identity check; a look with scripts spends nothing", async () => {
    const journeyId = await startOf("CASH_SALE")
    const link = await newLink(service, journeyId, "VERIFY_IDENTITY")
    await phone.open(link)
    await phone.open(link)
    expect(await service.query("select from sign_in_links where used_at is not null")).toEqual([])
    await shootBoth("link")
    await phone.press("Continue")
    await phone.waitFor("Your steps")
    await shootBoth("journey")
    await phone.press("Start")
    await phone.waitFor("Photo of your face")
    await shootBoth("identity")
    await phone.command("Network.clearBrowserCookies")
    await phone.open(link)
    await phone.waitFor("This link has ended")
    await shootBoth("link-ended")
    await phone.press("Mail me a new link")
    await phone.waitFor("Check your email")
    await shootBoth("link-mailed")
  })

  it("asks for the address where none is on file, and ties problems to their fields", async () => {
    const journeyId = await startOf("FINANCE_SALE", (body) => (body.delivery.type = "HOME_DELIVERY"))
    await signedIn(await newLink(service, journeyId, "CONFIRM_ADDRESS"))
    await phone.press("Continue")
    await phone.waitFor("Where is your vehicle to be handed over?")
    await phone.press("Deliver to this address")
    await phone.waitFor("Please look at 3 fields again")
    await shootBoth("address-problems")
    expect(
      await phone.evaluate(`document.getElementById(document.getElementById("street").getAttribute("aria-describedby")).innerText`)
    ).toContain("Street is required")
  })

  it("shows the recorder", async () => {
    const journeyId = await startOf("FINANCE_SALE", (body) => (body.delivery.type = "IN_STORE"))
    await signedIn(await newLink(service, journeyId, "RECORD_VIDEO"))
    await shootBoth("journey-video")
    await phone.press("Continue")
    await phone.waitFor("Use the camera")
    await shootBoth("video")
    await phone.press("Use the camera")
    await phone.waitFor("Start recording")
    await shootBoth("video-camera")
    await phone.press("Start recording")
    await phone.waitFor("Recording: 2 of")
    await phone.press("Stop")
    await phone.waitFor("Send this video")
    await shootBoth("video-recorded")
  })

  it("shows a test journey as one", async () => {
    const journeyId = await startOf("CASH_SALE", (body) => (body.customer.email = "a+never@example.com"), company.testKey)
    await signedIn(await newLink(service, journeyId, "VERIFY_IDENTITY"))
    await phone.waitFor("Simulate the identity check")
    await shootBoth("test-journey")
  })

  it("has a page for what does not exist", async () => {
    await phone.open("/app/nothing-here")
    await phone.waitFor("There is no such page")
    await shootBoth("no-such-page")
  })

  it("has asked no other host for anything, and met no error or refusal of its policy", () => {
    const outside = phone.requested.filter(
      (url) => !/^(?:data|blob|about):/.test(url) && new URL(url).origin !== new URL(service.baseUrl).origin
    )
    expect(outside).toEqual([])
    expect(phone.complaints).toEqual([])
  })
})

/**
 * What a customer may upload in a day is the journey's, however many sessions it has: whoever holds a forwarded link, or a link
 * that was asked for anew, begins with what is left. One session has a share of it, and leaves the rest to the others.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { uploadBudget } from "../../../src/actors/checks/limits.ts"
import { makeCompany, startBody, type TestCompany } from "../../support/companies.ts"
import { startWithPhoto } from "../../support/multipart.ts"
import { startService, type Service } from "../../support/service.ts"
import { CustomerBrowser, newLink, telephoneLink, tokenIn } from "./CustomerBrowser.ts"

let service: Service
let company: TestCompany

beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, { credits: 100 })
})
afterAll(() => service?.stop())

const startedSale = async (): Promise<string> => {
  const body = startBody("FINANCE_SALE")
  body.delivery.type = "IN_STORE"
  return (await startWithPhoto(service, company.liveKey, body)).data.id
}

/** A session of its own at the video page, which begins uploads. */
const session = async (link: string) => {
  const customer = new CustomerBrowser(service)
  await customer.signIn(link)
  const token = tokenIn(await customer.ask("/app/video"))
  const sameOrigin = { origin: service.baseUrl, "sec-fetch-site": "same-origin" }
  const begin = async (): Promise<string> => {
    const headers = { ...sameOrigin, "x-form-token": token, "x-challenge": customer.challenge }
    const { text } = await customer.ask("/app/video-uploads", { method: "POST", headers })
    return (JSON.parse(text) as { readonly code: string }).code
  }
  const form = async (): Promise<string> => {
    const sent = new FormData()
    sent.append("token", token)
    sent.append("video", new Blob([Buffer.from("no video")]), "video.webm")
    return (await customer.send("/app/video", sent)).text
  }
  return { begin, form }
}

it("sessions of one journey share its uploads of the day, forms without a script too, and a new link brings no new ones", async () => {
  const journeyId = await startedSale()
  const customers = await session(await newLink(service, journeyId, "RECORD_VIDEO"))
  const forwarded = await session(await telephoneLink(service, journeyId, "RECORD_VIDEO"))
  for (let count = 0; count < uploadBudget.mostUploads; count += 1) {
    expect(await (count % 2 === 0 ? customers : forwarded).begin()).toBe("BEGUN")
  }
  expect([await customers.begin(), await forwarded.begin()]).toEqual(["REFUSED", "REFUSED"])
  expect(await forwarded.form()).toContain("tomorrow")

  const anew = await session(await newLink(service, journeyId, "RECORD_VIDEO"))
  expect(await anew.begin()).toBe("REFUSED")
  const another = await session(await newLink(service, await startedSale(), "RECORD_VIDEO"))
  expect(await another.begin()).toBe("BEGUN")
})

it("a session that has used up its share leaves the customer's other session the rest of the journey's", async () => {
  const journeyId = await startedSale()
  const forwarded = await session(await newLink(service, journeyId, "RECORD_VIDEO"))
  const customers = await session(await telephoneLink(service, journeyId, "RECORD_VIDEO"))
  for (let count = 0; count < uploadBudget.mostUploadsOfSession; count += 1) {
    expect(await forwarded.begin()).toBe("BEGUN")
  }
  expect([await forwarded.begin(), await customers.begin()]).toEqual(["REFUSED", "BEGUN"])
  expect(await forwarded.form()).toContain("tomorrow")
})

it("what one session has sent counts for the next, though a new upload replaces it", async () => {
  const journeyId = await startedSale()
  const first = await session(await newLink(service, journeyId, "RECORD_VIDEO"))
  expect(await first.begin()).toBe("BEGUN")
  await service.query("update upload_days set bytes = $2 where journey_id = $1", [
    journeyId,
    uploadBudget.mostBytesOfJourney
  ])
  const second = await session(await newLink(service, journeyId, "RECORD_VIDEO"))
  expect(await second.begin()).toBe("REFUSED")
})

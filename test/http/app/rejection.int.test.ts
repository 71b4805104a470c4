/** What a customer is told of why their identity check was rejected (D4), and that nothing else has a reason for them. */
import { afterAll, beforeAll, expect, it } from "vitest"
import type { CustomerStep } from "../../../src/schema/journey/steps.ts"
import { wordsOf as catalogueOf } from "../../../src/schema/words/words.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../../support/fakeIdentityProvider.ts"
import { freePort } from "../../support/freePort.ts"
import { startService, type Service } from "../../support/service.ts"
import { makeVideos } from "../../support/videos.ts"
import { CustomerBrowser, newLink, tokenIn, wordsOf } from "./CustomerBrowser.ts"

const english = catalogueOf("en")

let service: Service
let provider: FakeIdentityProvider
let company: TestCompany

beforeAll(async () => {
  const port = await freePort()
  provider = await startFakeIdentityProvider()
  service = await startService({
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    WEBHOOK_ALLOW_INSECURE: "true"
  })
  company = await makeCompany(service, { credits: 10, settings: { identityProvider: provider.settings } })
})
afterAll(async () => {
  await service?.stop()
  await provider?.stop()
})

const begin = async () => {
  const sale = startBody("CASH_SALE")
  sale.delivery.type = "IN_STORE"
  const { data } = await start(service, company.liveKey, sale)
  const journeyId = String(data.id)
  const [check] = await eventually(
    () => [...provider.taken.values()].filter((one) => one.journeyId === journeyId),
    (checks) => checks.length === 1,
    30_000
  )
  return { journeyId, checkId: check?.checkId ?? "" }
}

const signedIn = async (journeyId: string, step: CustomerStep = "VERIFY_IDENTITY"): Promise<CustomerBrowser> => {
  const customer = new CustomerBrowser(service)
  expect((await customer.signIn(await newLink(service, journeyId, step))).status).toBe(303)
  return customer
}

const reject = async (journeyId: string, reason: string) => {
  const { data } = await askSettings(service, `/companies/${company.id}/reviews`)
  const { id } = data.content.find((one: { readonly journeyId: string }) => one.journeyId === journeyId)
  const answer = await askSettings(service, `/companies/${company.id}/reviews/${id}/decision`, {
    body: { decision: "REJECT", reason }
  })
  expect(answer.status).toBe(200)
}

it("shows the team's own reason with the check to be done again, and no longer once another check has failed", async () => {
  const { checkId, journeyId } = await begin()
  expect((await provider.report(service, checkId, "UNDER_REVIEW", "result-1")).status).toBe(200)
  await reject(journeyId, "CANARY <b>glare</b>\nover the name")
  const customer = await signedIn(journeyId)
  for (const path of ["/app/journey", "/app/identity"]) {
    expect((await customer.ask(path)).text).toContain("CANARY &lt;b&gt;glare&lt;/b&gt;\nover the name")
  }
  // There, and nowhere else.
  const mails = await eventually(
    () => askSettings(service, `/mail?journeyId=${journeyId}`),
    ({ data }) => JSON.stringify(data).includes("Please try again"),
    30_000
  )
  const events = await service.query("select body from events")
  expect(JSON.stringify([mails.data, events])).not.toContain("CANARY")

  expect((await provider.report(service, checkId, "FAILED", "result-2")).status).toBe(200)
  const page = wordsOf(await customer.ask("/app/journey"))
  expect(page).toContain("The last check did not succeed")
  expect(page).not.toContain("CANARY")
})

it("asks for the video again that the team rejected, and keeps the team's reason for that to the team", async () => {
  const { checkId, journeyId } = await begin()
  expect((await provider.report(service, checkId, "VERIFIED", "result-1")).status).toBe(200)
  const customer = await signedIn(journeyId, "RECORD_VIDEO")
  const { again, recordAgain } = english.journey.video
  const before = wordsOf(await customer.ask("/app/journey"))
  expect([before.includes(again), before.includes(recordAgain)]).toEqual([false, false])
  await customer.agree("video")
  const form = new FormData()
  form.append("token", tokenIn(await customer.ask("/app/video")))
  form.append("video", new Blob([(await makeVideos("indexAtEnd")).indexAtEnd], { type: "video/mp4" }), "handover.mp4")
  expect((await customer.send("/app/video", form)).status).toBe(303)
  // There is no face to compare with: a person looks.
  await eventually(
    () => ask(service, company.liveKey, `/api/v1/journeys/${journeyId}`),
    ({ data }) => data.delivery.status === "UNDER_REVIEW",
    60_000
  )
  await reject(journeyId, "CANARY of the video")
  const page = wordsOf(await customer.ask("/app/journey"))
  expect(page).toContain("Please record the video again")
  expect(page).not.toContain("CANARY")
})

it("says of a journey that was cancelled only by whom in general words, and nothing of the team's reason", async () => {
  const { journeyId } = await begin()
  const customer = await signedIn(journeyId)
  const link = await newLink(service, journeyId, "VERIFY_IDENTITY")
  const body = { reason: "CANARY of the team" }
  expect((await ask(service, company.liveKey, `/api/v1/journeys/${journeyId}/cancel`, { body })).status).toBe(200)
  for (const path of ["/app/identity", link]) expect((await customer.ask(path)).location).toBe("/app/journey")
  const ofCustomer = await customer.ask("/app/journey")
  expect(wordsOf(ofCustomer)).toContain("This journey is closed It was cancelled by")
  const ofAnybody = await new CustomerBrowser(service).ask(link)
  expect(wordsOf(ofAnybody)).toContain("This journey is closed It ended before the handover was complete")
  for (const page of [ofCustomer, ofAnybody]) {
    expect(page.status).toBe(410)
    expect(page.text).not.toContain("CANARY")
  }
})

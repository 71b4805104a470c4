/**
 * A live journey of each shape from its start to COMPLETED through real parts: mail over SMTP, customers with a browser
 * of a telephone's size and a camera, a finance panel and an identity provider that sign and misbehave, the built-in
 * check of two faces and of the video, and the team's review. The customers read two languages; some have no scripts, and some a
 * line of 100 KB/s that loses requests and answers. Every page is kept under `test/output/live`. Without Chromium the suite
 * is skipped by name; in CI that is a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Shape } from "../../src/schema/journey/statuses.ts"
import { chromium } from "../http/documents/browser.ts"
import { ask, askSettings, start, startBody, type TestCompany } from "../support/companies.ts"
import { inconsistencies } from "../support/consistency.ts"
import { eventually } from "../support/eventually.ts"
import { startWithPhoto } from "../support/multipart.ts"
import { eventOf } from "../support/receivers.ts"
import type { Service } from "../support/service.ts"
import { emailOf, LiveCustomer, type Habits } from "./liveCustomer.ts"
import { prepareGround, type Ground } from "./liveGround.ts"
import { patienceMillis } from "./mailedLink.ts"
import { expectToldAsSimulated } from "./toldAsSimulated.ts"

const isCi = process.env["CI"] === "true"

let ground: Ground | undefined
let service: Service
let panel: Ground["panel"]
let provider: Ground["provider"]
let here: TestCompany
let outside: TestCompany
let polish: TestCompany

const prepare = async () => {
  if (chromium === undefined) throw new Error("CI needs Chromium for live journeys")
  ground = await prepareGround(chromium)
  ;({ here, outside, panel, polish, provider, service } = ground)
}

const meet = (name: string, habits: Habits): Promise<LiveCustomer> => {
  if (ground === undefined) throw new Error("nobody to meet yet")
  return LiveCustomer.meet(ground, name, habits)
}

type Place = "IN_STORE" | "HOME_DELIVERY"

const send = (name: string, shape: Shape, place: Place) => (key: string, email: string) => {
  const body = startBody(shape)
  body.customer.email = email
  body.vehicle.inventoryVehicleId = `stock-${name}`
  body.delivery.type = place
  return shape === "FINANCE_SALE" ? startWithPhoto(service, key, body) : start(service, key, body)
}

const begin = async (name: string, shape: Shape, company: TestCompany, place: Place) => {
  const answer = await send(name, shape, place)(company.liveKey, emailOf(name))
  expect([shape, answer.status]).toEqual([shape, 202])
  return String(answer.data.id)
}

const stateOf = async (company: TestCompany, id: string) =>
  (await ask(service, company.liveKey, `/api/v1/journeys/${id}`)).data

const reaches = (company: TestCompany, id: string, nextAction: string) =>
  eventually(
    () => stateOf(company, id),
    (journey) => journey.nextAction === nextAction,
    patienceMillis
  )

const completed = async (company: TestCompany, id: string) => {
  const journey = await eventually(
    () => stateOf(company, id),
    ({ status }) => status !== "ACTIVE",
    patienceMillis
  )
  expect(journey.status).toBe("COMPLETED")
}

/** What the journey's events said of finance, identity and handover, in order. */
const toldOf = async (id: string) => {
  const types = "select type from events where journey_id = $1 order by sequence"
  return (await service.query<{ readonly type: string }>(types, [id])).map(({ type }) => type)
}

/** The callback changes nothing, whatever it is answered. */
const withoutEffect = async (company: TestCompany, id: string, call: () => Promise<{ readonly status: number }>) => {
  const [before, told] = [await stateOf(company, id), await toldOf(id)]
  const { status } = await call()
  expect([await stateOf(company, id), await toldOf(id)]).toEqual([before, told])
  return status
}

const decideReview = async (
  company: TestCompany,
  journeyId: string,
  decision: "APPROVE" | "REJECT",
  reason: string
) => {
  const { data } = await askSettings(service, `/companies/${company.id}/reviews`)
  const review = data.content.find((one: { readonly journeyId: string }) => one.journeyId === journeyId)
  const path = `/companies/${company.id}/reviews/${review.id}/decision`
  expect((await askSettings(service, path, { body: { decision, reason } })).status).toBe(200)
}

const address = { buildingNumber: "1", street: "Harbour Street", city: "Leith", postcode: "EH6 6AA" }
const forged = { secret: "not-the-secret-00000000000000000" }
const whyNot = "Your name on the document cannot be read.\nPlease take the photo without a flash."

const submitViaMira = async () => {
  panel.behave("SILENT")
  const id = await begin("mira", "FINANCE_SUBMIT_VIA_MIRA", here, "HOME_DELIVERY")
  await panel.arrived(1)
  panel.behave("OK")
  await reaches(here, id, "CUSTOMER_TO_VERIFY_IDENTITY")
  // It was asked twice about one application.
  const submission = [...panel.taken.values()].find(({ journeyId }) => journeyId === id)
  const submissionId = submission?.submissionId ?? ""
  expect(
    panel.asked.map(({ body, idempotencyKey, isGenuine }) => [body.submissionId, idempotencyKey, isGenuine])
  ).toEqual(Array.from({ length: 2 }, () => [submissionId, panel.asked[0]?.idempotencyKey, true]))
  expect(submission?.application.finance.addressHistory[0].addressType).toBe("CURRENT")

  const customer = await meet("mira", { isLineBad: true })
  await customer.opens("identity")
  await customer.verifiesHere("CAMERA")
  await reaches(here, id, "AWAITING_LENDER_DECISION")
  const says = (decision: "APPROVED" | "DECLINED", of: string, wishes = {}) =>
    panel.decide(service, submissionId, decision, of, wishes)
  expect(await withoutEffect(here, id, () => says("DECLINED", "decision-0", forged))).toBe(401)
  expect((await says("APPROVED", "decision-1")).status).toBe(200)
  await reaches(here, id, "CUSTOMER_TO_CONFIRM_ADDRESS")
  expect(await withoutEffect(here, id, () => says("APPROVED", "decision-1"))).toBe(200)
  expect(await withoutEffect(here, id, () => says("DECLINED", "decision-2"))).toBe(200)

  await customer.opens("address")
  await customer.confirmsAddress(null)
  await customer.opens("video")
  await customer.sendsVideo("CAMERA")
  await completed(here, id)
  expect(await withoutEffect(here, id, () => says("DECLINED", "decision-3"))).toBe(200)
  await expectToldAsSimulated(service, id, {
    company: here,
    begin: send("mira", "FINANCE_SUBMIT_VIA_MIRA", "HOME_DELIVERY"),
    simulated: ["identity.verified", "finance_enquiry.approved", "delivery.completed"]
  })
  await customer.leaves()
}

const alreadySubmitted = async () => {
  const id = await begin("already", "FINANCE_ALREADY_SUBMITTED", outside, "IN_STORE")
  const [check] = await eventually(
    () => [...provider.taken.values()].filter(({ journeyId }) => journeyId === id),
    (checks) => checks.length === 1,
    patienceMillis
  )
  // The provider's answer comes before the lender's decision, as in the journey that this one is compared with.
  await eventually(async () => (await toldOf(id)).includes("identity.requested"), Boolean, patienceMillis)
  const body = { decision: "APPROVED" }
  expect((await ask(service, outside.liveKey, `/api/v1/journeys/${id}/finance-decision`, { body })).status).toBe(200)
  const says = (result: "VERIFIED" | "UNDER_REVIEW" | "FAILED", of: string, wishes = {}) =>
    provider.report(service, check?.checkId ?? "", result, of, wishes)

  const customer = await meet("already", { language: "pl", hasScripts: false })
  const { words } = customer
  await customer.opens("identity")
  await customer.goesToPartner(words.steps.VERIFY_IDENTITY.start)
  expect(await withoutEffect(outside, id, () => says("VERIFIED", "result-0", forged))).toBe(401)
  expect((await says("UNDER_REVIEW", "result-1")).status).toBe(200)
  await customer.phone.press("Back")
  await customer.sees(words.journey.identity.inReview, "journey-identity-review")
  await decideReview(outside, id, "REJECT", whyNot)

  await customer.opens("identityAgain")
  await customer.sees("Please take the photo without a flash.", "journey-identity-rejected")
  await customer.goesToPartner(words.frame.tryAgain)
  expect(await withoutEffect(outside, id, () => says("UNDER_REVIEW", "result-1"))).toBe(200)
  expect((await says("VERIFIED", "result-3")).status).toBe(200)
  await reaches(outside, id, "CUSTOMER_TO_RECORD_VIDEO")
  // A repetition of its earlier answer comes late.
  expect(await withoutEffect(outside, id, () => says("FAILED", "result-2"))).toBe(200)
  expect(await withoutEffect(outside, id, () => says("VERIFIED", "result-3"))).toBe(200)

  await customer.opens("video")
  await customer.sendsVideo("FILE")
  // There is no face of the customer to compare with, so a person decides.
  await reaches(outside, id, "DEALER_TO_REVIEW")
  await customer.phone.open("/app/journey")
  await customer.sees(words.journey.video.inReview, "journey-video-review")
  await decideReview(outside, id, "APPROVE", "It is clearly the same person")
  await completed(outside, id)
  await expectToldAsSimulated(service, id, {
    company: outside,
    begin: send("already", "FINANCE_ALREADY_SUBMITTED", "IN_STORE"),
    isCheckedOutside: true,
    simulated: [
      "finance_enquiry.approved",
      "identity.under_review",
      "identity.failed",
      "identity.verified",
      "delivery.under_review",
      "delivery.completed"
    ]
  })
  await customer.leaves()
}

const identityDelivery = async () => {
  const id = await begin("identity", "IDENTITY_DELIVERY", here, "IN_STORE")
  const customer = await meet("identity", { language: "pl", hasScripts: false, isLineBad: true })
  await customer.opens("identity")
  await customer.verifiesHere("FILE")
  await customer.opens("video")
  await customer.sendsVideo("FILE")
  await completed(here, id)
  await expectToldAsSimulated(service, id, {
    company: here,
    begin: send("identity", "IDENTITY_DELIVERY", "IN_STORE"),
    simulated: ["identity.verified", "delivery.completed"]
  })
  await customer.leaves()
}

const cashSale = async () => {
  const id = await begin("cash", "CASH_SALE", polish, "HOME_DELIVERY")
  const customer = await meet("cash", { language: "pl", companysLanguage: "pl", isLineBad: true })
  await customer.opens("identity")
  await customer.verifiesHere("FILE")
  await customer.opens("address")
  await customer.confirmsAddress(address)
  await customer.opens("video")
  await customer.sendsVideo("CAMERA")
  await completed(polish, id)
  await expectToldAsSimulated(service, id, {
    company: polish,
    begin: send("cash", "CASH_SALE", "HOME_DELIVERY"),
    simulated: ["delivery.completed"]
  })
  await customer.leaves()
}

const financeSale = async () => {
  const id = await begin("sale", "FINANCE_SALE", here, "HOME_DELIVERY")
  const customer = await meet("sale", { hasScripts: false })
  await customer.opens("address")
  await customer.confirmsAddress(address)
  await customer.opens("video")
  await customer.sendsVideo("FILE")
  await completed(here, id)
  await expectToldAsSimulated(service, id, {
    company: here,
    begin: send("sale", "FINANCE_SALE", "HOME_DELIVERY"),
    simulated: ["delivery.completed"]
  })
  await customer.leaves()
}

describe.skipIf(chromium === undefined && !isCi)(
  "live journeys, with customers in Chromium",
  { timeout: 600_000 },
  () => {
    beforeAll(prepare, 180_000)
    afterAll(() => ground?.stop())

    it(
      "complete a SUBMIT_VIA_MIRA sale with a panel that is silent at first: the camera's photo, address and video, over a bad line",
      submitViaMira
    )
    it(
      "complete an ALREADY_SUBMITTED sale in Polish without scripts: a provider checks, the team rejects and then approves",
      alreadySubmitted
    )
    it(
      "complete an IDENTITY_DELIVERY in Polish without scripts over a bad line: the identity check, then the video",
      identityDelivery
    )
    it("complete a CASH_SALE in Polish over a bad line: the identity check, the address, the video", cashSale)
    it(
      "complete a FINANCE_SALE without scripts: the address, and a video that is compared with the caller's photo",
      financeSale
    )

    it("leave a database in which ledger, mails, deliveries and stock agree", async () => {
      expect(await inconsistencies(service.query)).toEqual([])
      const wallets = await service.query<{ readonly wallet: string; readonly held: number }>(
        "select wallet, held::int from wallets where held <> 0"
      )
      expect(wallets).toEqual([])
      const completedMails = (ground?.mail.received ?? []).filter(({ to }) =>
        to.some((one) => one.endsWith("@customer.example"))
      )
      expect(new Set(completedMails.map(({ header }) => header("Message-ID"))).size).toBe(completedMails.length)
      const events = await service.query<{ readonly id: string }>(
        "select id from events where sequence > 0 and body::json ->> 'livemode' = 'true'"
      )
      const delivered = (await ground?.receiver.arrived(events.length, patienceMillis)) ?? []
      expect(new Set(delivered.map((one) => eventOf(one).id)).size).toBe(events.length)
      const sales = await service.query<{ readonly outcome: string }>("select outcome from vehicle_sales")
      expect(sales.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 5 }, () => "UNKNOWN"))
    })
  }
)

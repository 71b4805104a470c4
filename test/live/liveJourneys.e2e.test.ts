/**
 * A live journey of each shape from its start to COMPLETED through real parts: mail over SMTP whose links are opened and
 * used, a finance panel and an identity provider that sign and call back, the customer's forms, the built-in check of two
 * faces and of the video, and the team's review. How the app looks in a browser is `test/http/app/looks.e2e.test.ts`'s.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Shape } from "../../src/schema/statuses.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { inconsistencies } from "../support/consistency.ts"
import { eventually } from "../support/eventually.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../support/fakeIdentityProvider.ts"
import { startFakePanel, type FakePanel } from "../support/fakePanel.ts"
import { freePort } from "../support/freePort.ts"
import { startMailServer, type MailServer } from "../support/mailServer.ts"
import { startWithPhoto } from "../support/multipart.ts"
import { facePhoto } from "../support/photos.ts"
import { eventOf, startReceiver, type Receiver } from "../support/receivers.ts"
import { startService, type Service } from "../support/service.ts"
import { makeVideos } from "../support/videos.ts"
import { Customer, tokenIn } from "../http/app/customer.ts"

let service: Service
let mail: MailServer
let panel: FakePanel
let provider: FakeIdentityProvider
let receiver: Receiver
/** Its customers are checked here. */
let here: TestCompany
/** Its customers are checked by a provider. */
let outside: TestCompany
let video: Buffer

const withWebhooks = async (company: TestCompany) => {
  const answer = await askSettings(service, `/companies/${company.id}/webhook-endpoints/live`, {
    method: "PUT",
    body: { url: receiver.url }
  })
  expect(answer.success).toBe(true)
  return company
}

beforeAll(async () => {
  const port = await freePort()
  mail = await startMailServer()
  panel = await startFakePanel()
  provider = await startFakeIdentityProvider()
  receiver = await startReceiver()
  video = (await makeVideos("indexAtEnd")).indexAtEnd
  service = await startService({
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: "Journeys <journeys@example.com>",
    RATE_LIMIT_PER_MINUTE: "1000000",
    WEBHOOK_ALLOW_INSECURE: "true"
  })
  const common = { credits: 10, adminEmail: "owner@harbour.example" }
  here = await withWebhooks(
    await makeCompany(service, {
      ...common,
      settings: { identityProvider: { kind: "BUILT_IN" }, financePanel: panel.settings }
    })
  )
  outside = await withWebhooks(
    await makeCompany(service, {
      ...common,
      settings: { identityProvider: provider.settings, financePanel: panel.settings }
    })
  )
}, 120_000)
afterAll(async () => {
  await service?.stop()
  await Promise.all([mail, panel, provider, receiver].map((one) => one?.stop()))
})

const emailOf = (name: string) => `${name}@customer.example`

const begin = async (name: string, shape: Shape, company: TestCompany, place: "IN_STORE" | "HOME_DELIVERY") => {
  const body = startBody(shape)
  body.customer.email = emailOf(name)
  body.vehicle.inventoryVehicleId = `stock-${name}`
  body.delivery.type = place
  const answer =
    shape === "FINANCE_SALE"
      ? await startWithPhoto(service, company.liveKey, body)
      : await start(service, company.liveKey, body)
  expect([shape, answer.status]).toEqual([shape, 202])
  return String(answer.data.id)
}

const stateOf = async (company: TestCompany, id: string) =>
  (await ask(service, company.liveKey, `/api/v1/journeys/${id}`)).data

const reaches = (company: TestCompany, id: string, nextAction: string | null) =>
  eventually(
    () => stateOf(company, id),
    (journey) => journey.nextAction === nextAction,
    60_000
  )

/** What the customer was mailed so far, words of it and the path of its link. */
const mailed = (name: string, subject: RegExp, count = 1): Promise<string> =>
  eventually(
    () => mail.received.filter(({ header, to }) => to.includes(emailOf(name)) && subject.test(header("Subject") ?? "")),
    (mails) => mails.length >= count,
    30_000
  ).then((mails) => {
    const raw = (mails.at(-1)?.raw ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=")
    const [, path = ""] = /(\/app\/l\/[A-Za-z0-9_-]+)/.exec(raw) ?? []
    return path
  })

const signedIn = async (link: string): Promise<Customer> => {
  const customer = new Customer(service)
  // Scanners look first, and spend nothing.
  await customer.ask(link, { method: "HEAD" })
  await customer.ask(link)
  expect((await customer.signIn(link)).location).toBe("/app/journey")
  return customer
}

const file = (bytes: Uint8Array, type: string) => new Blob([new Uint8Array(bytes)], { type })

const verifyHere = async (name: string) => {
  const customer = await signedIn(await mailed(name, /identity|verify/i))
  const form = new FormData()
  form.append("token", tokenIn(await customer.ask("/app/identity")))
  form.append("documentPhoto", file(facePhoto(), "image/jpeg"), "document.jpg")
  form.append("selfie", file(facePhoto(), "image/jpeg"), "selfie.jpg")
  return customer.send("/app/identity", form)
}

const confirmAddress = async (name: string) => {
  const customer = await signedIn(await mailed(name, /where|deliver|address/i))
  const address = { street: "Harbour Street", city: "Leith", postcode: "EH6 6AA" }
  const answer = await customer.send("/app/address", {
    token: tokenIn(await customer.ask("/app/address")),
    buildingNumber: "1",
    ...address
  })
  expect([answer.status, answer.location]).toEqual([303, expect.stringContaining("/app/")])
}

const sendVideo = async (name: string) => {
  const customer = await signedIn(await mailed(name, /video|record/i))
  const form = new FormData()
  form.append("token", tokenIn(await customer.ask("/app/video")))
  form.append("video", file(video, "video/mp4"), "handover.mp4")
  const answer = await customer.send("/app/video", form)
  expect(answer.status).toBe(303)
}

const completed = async (company: TestCompany, id: string) => {
  const journey = await eventually(
    () => stateOf(company, id),
    ({ status }) => status !== "ACTIVE",
    60_000
  )
  expect(journey.status).toBe("COMPLETED")
}

it("SUBMIT_VIA_MIRA: panel, built-in identity, address, video", async () => {
  const id = await begin("mira", "FINANCE_SUBMIT_VIA_MIRA", here, "HOME_DELIVERY")
  await panel.arrived(1)
  const submission = [...panel.taken.values()].find(({ journeyId }) => journeyId === id)
  expect(submission?.application.finance.addressHistory[0].addressType).toBe("CURRENT")
  await reaches(here, id, "CUSTOMER_TO_VERIFY_IDENTITY")
  await verifyHere("mira")
  await reaches(here, id, "AWAITING_LENDER_DECISION")
  const decided = await panel.decide(service, submission?.submissionId ?? "", "APPROVED", "decision-1")
  expect(decided.status).toBe(200)
  await reaches(here, id, "CUSTOMER_TO_CONFIRM_ADDRESS")
  await confirmAddress("mira")
  await reaches(here, id, "CUSTOMER_TO_RECORD_VIDEO")
  await sendVideo("mira")
  await completed(here, id)
}, 180_000)

it("ALREADY_SUBMITTED: the caller decides, an outside provider verifies", async () => {
  const id = await begin("already", "FINANCE_ALREADY_SUBMITTED", outside, "IN_STORE")
  const check = await eventually(
    () => [...provider.taken.values()].find(({ journeyId }) => journeyId === id),
    (one) => one !== undefined,
    30_000
  )
  const answer = await ask(service, outside.liveKey, `/api/v1/journeys/${id}/finance-decision`, {
    body: { decision: "APPROVED" }
  })
  expect(answer.status).toBe(200)
  expect((await provider.report(service, check?.checkId ?? "", "VERIFIED", "result-1")).status).toBe(200)
  await reaches(outside, id, "CUSTOMER_TO_RECORD_VIDEO")
  await sendVideo("already")
  // There is no face of the customer here to compare with: a person looks.
  await reaches(outside, id, "DEALER_TO_REVIEW")
  await approve(outside, id)
  await completed(outside, id)
}, 180_000)

const approve = async (company: TestCompany, journeyId: string) => {
  const { data } = await askSettings(service, `/companies/${company.id}/reviews`)
  const review = data.content.find((one: { readonly journeyId: string }) => one.journeyId === journeyId)
  const path = `/companies/${company.id}/reviews/${review.id}/decision`
  const body = { decision: "APPROVE", reason: "It is clearly the same person" }
  expect((await askSettings(service, path, { body })).status).toBe(200)
}

it("IDENTITY_DELIVERY, CASH_SALE and FINANCE_SALE: each by its steps", async () => {
  const identity = await begin("identity", "IDENTITY_DELIVERY", here, "IN_STORE")
  const cash = await begin("cash", "CASH_SALE", here, "HOME_DELIVERY")
  const sale = await begin("sale", "FINANCE_SALE", here, "IN_STORE")
  await verifyHere("identity")
  await verifyHere("cash")
  await confirmAddress("cash")
  for (const name of ["identity", "cash", "sale"]) await sendVideo(name)
  for (const id of [identity, cash, sale]) await completed(here, id)
}, 240_000)

it("leaves a database in which everything agrees: ledger, mails, deliveries, stock", async () => {
  expect(await inconsistencies(service.query)).toEqual([])
  const wallets = await service.query<{ readonly wallet: string; readonly held: number }>(
    "select wallet, held::int from wallets where held <> 0"
  )
  expect(wallets).toEqual([])
  const completedMails = mail.received.filter(({ to }) => to.some((one) => one.endsWith("@customer.example")))
  expect(new Set(completedMails.map(({ header }) => header("Message-ID"))).size).toBe(completedMails.length)
  const events = await service.query<{ readonly id: string }>("select id from events where sequence > 0")
  await receiver.arrived(events.length, 30_000)
  expect(new Set(receiver.received.map((one) => eventOf(one).id)).size).toBe(events.length)
  const sales = await service.query<{ readonly outcome: string }>("select outcome from vehicle_sales")
  expect(sales.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 5 }, () => "UNKNOWN"))
}, 60_000)

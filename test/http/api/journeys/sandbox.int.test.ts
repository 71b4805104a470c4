import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import { makeCompany, type TestCompany } from "../../../support/companies.ts"
import { call } from "../../../support/requests.ts"
import { startService, type Service } from "../../../support/service.ts"
import { eventsOf, expectLegalHistory } from "./history.ts"
import { journeys, type Ground } from "./oracle.ts"
import { sendShape, shapes } from "./verdicts.ts"

const created = "journey.created"
const submitted = "finance_enquiry.submitted"
const approved = "finance_enquiry.approved"
const requested = "identity.requested"
const verified = "identity.verified"
const handover = "delivery.created"
const awaiting = "delivery.awaiting_video"
const uploaded = "delivery.video_uploaded"
const completed = ["delivery.completed", "journey.completed"]

/** What a journey of each shape goes through by itself until its customer is at the handover. */
const approach: Readonly<Record<Shape, ReadonlyArray<string>>> = {
  FINANCE_ALREADY_SUBMITTED: [created, submitted, requested, verified, approved, handover],
  FINANCE_SUBMIT_VIA_MIRA: [created, submitted, requested, approved, verified, handover],
  IDENTITY_DELIVERY: [created, requested, verified, handover],
  CASH_SALE: [created, handover, requested, verified],
  FINANCE_SALE: [created, handover]
}
const atHome = ["delivery.location_confirmed", awaiting]
const happy = (shape: Shape, place: "IN_STORE" | "HOME_DELIVERY"): ReadonlyArray<string> => [
  ...approach[shape],
  ...(place === "IN_STORE" ? [awaiting] : atHome),
  uploaded,
  ...completed
]

/** A path with one event replaced by others. */
const instead = (path: ReadonlyArray<string>, event: string, ...others: ReadonlyArray<string>): ReadonlyArray<string> =>
  path.toSpliced(path.indexOf(event), 1, ...others)
const upTo = (path: ReadonlyArray<string>, event: string, ...others: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...path.slice(0, path.indexOf(event)),
  ...others
]

const withCheck: ReadonlyArray<Shape> = shapes.filter((shape) => shape !== "FINANCE_SALE")
const mira = happy("FINANCE_SUBMIT_VIA_MIRA", "IN_STORE")
type Play = readonly [
  name: string,
  shape: Shape,
  email: string,
  place: "IN_STORE" | "HOME_DELIVERY",
  events: ReadonlyArray<string>
]

const plain = "customer@example.com"
const plays: ReadonlyArray<Play> = [
  ...shapes.flatMap((shape) =>
    (["IN_STORE", "HOME_DELIVERY"] as const).map((place): Play => [
      `${shape} ${place}`,
      shape,
      plain,
      place,
      happy(shape, place)
    ])
  ),
  ...withCheck.flatMap((shape): ReadonlyArray<Play> => {
    const path = happy(shape, "IN_STORE")
    const play = (tag: string, events: ReadonlyArray<string>): Play => [
      `${shape} +${tag}`,
      shape,
      `a+${tag}@b.example`,
      "IN_STORE",
      events
    ]
    return [
      play("identity_failed", instead(path, verified, "identity.failed", verified)),
      play("identity_review", instead(path, verified, "identity.under_review", verified))
    ]
  }),
  ...(["IDENTITY_DELIVERY", "CASH_SALE", "FINANCE_ALREADY_SUBMITTED"] as const).map((shape): Play => {
    const events = instead(happy(shape, "HOME_DELIVERY"), requested, "identity.unavailable", requested)
    return [`${shape} +identity_unavailable`, shape, "a+identity_unavailable@b.example", "HOME_DELIVERY", events]
  }),
  ...shapes.flatMap((shape): ReadonlyArray<Play> => {
    const path = happy(shape, "IN_STORE")
    const play = (tag: string, events: ReadonlyArray<string>): Play => [
      `${shape} +${tag}`,
      shape,
      `a+x+${tag}@b.example`,
      "IN_STORE",
      events
    ]
    return [
      play("video_unclear", instead(path, uploaded, uploaded, "delivery.under_review")),
      play("video_mismatch", instead(path, uploaded, uploaded, awaiting, uploaded))
    ]
  }),
  [
    "FINANCE_SUBMIT_VIA_MIRA +panel_declined",
    "FINANCE_SUBMIT_VIA_MIRA",
    "a+panel_declined@b.example",
    "IN_STORE",
    upTo(mira, approved, "finance_enquiry.declined", "journey.cancelled")
  ],
  [
    "FINANCE_SUBMIT_VIA_MIRA +panel_referred",
    "FINANCE_SUBMIT_VIA_MIRA",
    "a+PANEL_REFERRED@b.example",
    "IN_STORE",
    instead(mira, approved, "finance_enquiry.referred", approved)
  ],
  [
    "FINANCE_SUBMIT_VIA_MIRA +panel_failed",
    "FINANCE_SUBMIT_VIA_MIRA",
    "a+panel_failed@b.example",
    "IN_STORE",
    [created, submitted, "finance_enquiry.submission_failed", "journey.cancelled"]
  ],
  [
    "CASH_SALE +panel_declined, which is not its",
    "CASH_SALE",
    "a+panel_declined@b.example",
    "IN_STORE",
    happy("CASH_SALE", "IN_STORE")
  ],
  ["CASH_SALE with a tag nobody knows", "CASH_SALE", "a+holiday@b.example", "IN_STORE", happy("CASH_SALE", "IN_STORE")]
]

let service: Service
let ground: Ground
let manual: TestCompany
const begun = new Map<string, string>()
let still: ReadonlyArray<readonly [id: string, key: string]> = []

beforeAll(async () => {
  service = await startService({
    RATE_LIMIT_PER_MINUTE: "1000000",
    SANDBOX_STEP: "50 millis",
    SANDBOX_CALLER_STEP: "100 millis"
  })
  const dealer = await makeCompany(service, { settings: { identityProvider: { kind: "BUILT_IN" } }, credits: 10 })
  ground = { service, dealer, broker: dealer }
  manual = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
  for (const [name, shape, email, place] of plays) {
    const reply = await sendShape(ground, shape, { "customer.email": email, "delivery.type": place })
    begun.set(name, reply.data.id)
  }
  const never = await sendShape(ground, "FINANCE_ALREADY_SUBMITTED", { "customer.email": "a+never@b.example" })
  const byHand = await sendShape(ground, "IDENTITY_DELIVERY", {}, manual.testKey)
  const live = await sendShape(ground, "IDENTITY_DELIVERY", {}, dealer.liveKey)
  still = [
    [never.data.id, dealer.testKey],
    [byHand.data.id, manual.testKey],
    [live.data.id, dealer.liveKey]
  ]
})
afterAll(() => service.stop())

const get = (id: string, key = ground.dealer.testKey) => call(service, { key, path: `${journeys}/${id}` })

const reasons = async (name: string) =>
  (await eventsOf(service, begun.get(name) ?? "")).flatMap(({ body, type }) => {
    const { data } = JSON.parse(body) as { data: { reason?: string } }
    return data.reason === undefined ? [] : [`${type} ${data.reason}`]
  })

describe("a test journey by itself", () => {
  it.each(plays)("goes its way to the end: %s", async (name, _shape, _email, _place, events) => {
    const id = begun.get(name) ?? ""
    await expect.poll(async () => (await get(id)).data.status, { timeout: 30_000, interval: 100 }).not.toBe("ACTIVE")
    expect(await expectLegalHistory(service, id)).toEqual(events)
    const { data } = await get(id)
    expect(data).toMatchObject({
      status: events.includes("journey.completed") ? "COMPLETED" : "CANCELLED",
      nextAction: null
    })
  })

  it("tells the reason of a failure, and of nothing else", async () => {
    expect(await reasons("FINANCE_SUBMIT_VIA_MIRA +panel_failed")).toEqual([
      "finance_enquiry.submission_failed PANEL_ERROR"
    ])
    expect(await reasons("CASH_SALE +identity_unavailable")).toEqual(["identity.unavailable PROVIDER_ERROR"])
    expect(await reasons("CASH_SALE +identity_failed")).toEqual([])
  })
})

// The journeys above took dozens of steps meanwhile; these had the same time.
describe("no step of its own", () => {
  it("takes a journey told never to, one of a company that goes by hand, and a live one", async () => {
    for (const [id, key] of still) {
      expect((await expectLegalHistory(service, id)).at(-1)).toBe("identity.requested")
      expect((await get(id, key)).data.status).toBe("ACTIVE")
    }
  })

  it("is needed: simulate drives both test journeys", async () => {
    for (const [id, key] of still.slice(0, 2)) {
      const reply = await call(service, {
        key,
        path: `${journeys}/${id}/simulate`,
        body: { event: "delivery.completed" }
      })
      expect(reply.data.status).toBe("COMPLETED")
      await expectLegalHistory(service, id)
    }
  })
})

/** What the dealer gets whom a broker has named: exactly what handing over needs, whatever the start said. */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { dealerHandover, dealerHandoverEntry } from "../../../src/actors/handover/dealerHandover.ts"
import type { HandoverEvent } from "../../../src/actors/handover/Handovers.ts"
import type { Journey } from "../../../src/actors/journey/rules/state/Journey.ts"
import { HandoverStatus, type Shape } from "../../../src/schema/journey/statuses.ts"
import { addressFields } from "../../../src/schema/requests/deliveryAddress.ts"
import { decodeStart } from "../../../src/schema/start/decodeStart.ts"
import { startBodies, type StartRequest } from "../../../src/schema/start/startBodies.ts"
import { startBody } from "../../support/companies.ts"
import { factsOf, started } from "../journey/rules/startedJourneys.ts"

const shapes = ["FINANCE_ALREADY_SUBMITTED", "FINANCE_SUBMIT_VIA_MIRA", "IDENTITY_DELIVERY", "FINANCE_SALE"] as const
type BrokersShape = (typeof shapes)[number]

const at = Date.UTC(2026, 1, 1, 12)
const dealerId = "0197a000-0000-7000-8000-00000000dea1"

/** Every field that a start of the shape may have, each with a value of its own; "kept" stays with the broker. */
const everyField = (shape: BrokersShape) => {
  const body = startBody(shape)
  Object.assign(body, { externalReference: "kept-reference", externalCompanyName: "kept-company" })
  Object.assign(body.customer, { firstName: "Given", lastName: "Family", email: "given@example.com" })
  Object.assign(body.customer, { mobile: "+44 7700 900101", title: "DR", dateOfBirth: "1980-01-06" })
  body.vehicle = { registration: "GO70 CAR", make: "Make", model: "Model", year: 2010, colour: "Teal" }
  Object.assign(body.vehicle, { inventoryVehicleId: "kept-stock", dealerCompanyId: dealerId })
  Object.assign(body.delivery, { type: "HOME_DELIVERY", notes: "Ring twice" })
  if (shape === "IDENTITY_DELIVERY")
    body.finance = { panelName: "kept-panel", panelReference: "kept-7", lender: "kept" }
  return body
}

const recordOf = (shape: BrokersShape): StartRequest => {
  const photo = shape === "FINANCE_SALE" ? ({ image: "JPEG", bytes: 1000 } as const) : null
  const transport = photo === null ? "JSON" : "MULTIPART"
  const facts = { companyKind: "BROKER", isDealerKnown: true, now: at, transport, photo } as const
  return Result.getOrThrow(decodeStart(everyField(shape), facts))
}

const handedOver = (shape: Shape, change: Partial<NonNullable<Journey["handover"]>> = {}): Journey => {
  const { journey } = started(factsOf(shape))
  const handover = { status: "AWAITING_VIDEO", createdAt: at, completedAt: null, mismatches: 0, ...change } as const
  return {
    ...journey,
    handoverType: "HOME_DELIVERY",
    externalReference: "kept-reference",
    handover,
    window: { kind: "HANDOVER", remainingMillis: 1, deadline: at + 1000 }
  }
}

const everyAddressField = Object.fromEntries(addressFields.map((field) => [field, `${field} 1`]))
const address = { value: everyAddressField as never, at }

const shownOf = (shape: BrokersShape, events: ReadonlyArray<HandoverEvent> = []) =>
  dealerHandover({ journey: handedOver(shape), broker: "Broad Brokers", events }, { start: recordOf(shape), address })

const event = (type: HandoverEvent["type"], minutes: number): HandoverEvent => ({ type, at: at + minutes * 60_000 })

const missing = (value: object, of: object) => Object.keys(of).filter((name) => !Object.hasOwn(value, name))

describe("what the named dealer gets", () => {
  it.each(shapes)("is exactly this document when a start has every field: %s", (shape) => {
    const { journey } = started(factsOf(shape))
    const { address: confirmed, ...shown } = shownOf(shape, [event("delivery.created", 0)])
    expect(shown).toEqual({
      journeyId: journey.id,
      broker: "Broad Brokers",
      type: "HOME_DELIVERY",
      status: "AWAITING_VIDEO",
      waitingOn: "CUSTOMER_TO_RECORD_VIDEO",
      createdAt: "2026-02-01T12:00:00.000Z",
      completedAt: null,
      expiresAt: "2026-02-01T12:00:01.000Z",
      erased: false,
      customer: {
        title: "DR",
        firstName: "Given",
        lastName: "Family",
        email: "given@example.com",
        mobile: "+44 7700 900101"
      },
      vehicle: { registration: "GO70 CAR", make: "Make", model: "Model", year: 2010, colour: "Teal" },
      notes: "Ring twice",
      reviews: [],
      timeline: [{ at: "2026-02-01T12:00:00.000Z", event: "delivery.created" }]
    })
    expect(confirmed).toEqual({
      ...everyAddressField,
      lines: expect.any(Array),
      confirmedAt: "2026-02-01T12:00:00.000Z"
    })
    expect(JSON.stringify(shown)).not.toMatch(/kept|1980|finance|identity|lender|income|panel|consent/i)
  })

  it.each(shapes)("fills every field of the start's schema in that test: %s", (shape) => {
    const body = everyField(shape)
    const { fields } = startBodies[shape]
    expect(missing(body, fields)).toEqual([])
    expect(missing(body.customer, fields.customer.fields)).toEqual([])
    expect(missing(body.delivery, fields.delivery.fields)).toEqual([])
    // A dealer is named by one of two ids, never by both (V7).
    expect(missing(body.vehicle, fields.vehicle.fields)).toEqual(["dealerDirectoryId"])
  })

  it("has null for what the start may leave out, and for an address that nobody has confirmed", () => {
    const body = startBody("IDENTITY_DELIVERY")
    body.customer = { firstName: "Ann", lastName: "Buyer", email: "ann@example.com" }
    body.vehicle = { registration: "AB12 CDE" }
    body.delivery = { type: "IN_STORE" }
    const facts = { companyKind: "BROKER", isDealerKnown: true, now: at, transport: "JSON", photo: null } as const
    const start = Result.getOrThrow(decodeStart(body, facts))
    const found = { journey: handedOver("IDENTITY_DELIVERY"), broker: "Broad Brokers", events: [] }
    expect(dealerHandover(found, { start, address: null })).toMatchObject({
      customer: { title: null, mobile: null },
      vehicle: { registration: "AB12 CDE", make: null, model: null, year: null, colour: null },
      notes: null,
      address: null
    })
  })

  it("is nothing personal once the customer was erased", () => {
    const found = { journey: handedOver("IDENTITY_DELIVERY"), broker: "Broad Brokers", events: [] }
    expect(dealerHandover(found, { start: null, address: null })).toMatchObject({
      erased: true,
      customer: null,
      vehicle: null,
      notes: null,
      address: null,
      status: "AWAITING_VIDEO"
    })
  })

  it.each(HandoverStatus.literals)("says what a handover waits on, and nothing when it is over: %s", (status) => {
    const journey = handedOver("IDENTITY_DELIVERY", { status })
    const { waitingOn } = dealerHandoverEntry({
      journey,
      broker: "Broad Brokers",
      customerName: null,
      registration: null
    })
    const over = ["AWAITING_IDENTITY", "COMPLETED", "CANCELLED", "EXPIRED"]
    expect(waitingOn === null).toBe(over.includes(status))
    if (status === "UNDER_REVIEW") expect(waitingOn).toBe("BROKER_TO_REVIEW")
  })
})

const reviewsAfter = (...types: ReadonlyArray<HandoverEvent["type"]>) =>
  shownOf(
    "IDENTITY_DELIVERY",
    types.map((type, place) => event(type, place))
  ).reviews

describe("the reviews that the dealer sees", () => {
  it("wait until the event after them says what was decided", () => {
    expect(reviewsAfter("delivery.created", "delivery.under_review")).toEqual([
      { since: "2026-02-01T12:01:00.000Z", state: "WAITING", decidedAt: null }
    ])
    expect(
      reviewsAfter("delivery.under_review", "delivery.awaiting_video", "delivery.under_review", "delivery.completed")
    ).toEqual([
      { since: "2026-02-01T12:00:00.000Z", state: "REJECTED", decidedAt: "2026-02-01T12:01:00.000Z" },
      { since: "2026-02-01T12:02:00.000Z", state: "APPROVED", decidedAt: "2026-02-01T12:03:00.000Z" }
    ])
  })

  it.each(["delivery.cancelled", "delivery.expired"] as const)("end undecided with the handover: %s", (type) => {
    expect(reviewsAfter("delivery.under_review", type)).toMatchObject([{ state: "ENDED", decidedAt: null }])
  })
})

/** How the events of a decision are numbered, timed and written (§6.2, decisions W1 to W3, W10 and W15). */
import { describe, expect, expectTypeOf, it } from "vitest"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import { decideStart, type StartFacts } from "../../../../src/actors/journey/rules/decideStart.ts"
import { eventData } from "../../../../src/actors/journey/rules/projection.ts"
import { record, type RecordedEvent } from "../../../../src/actors/journey/rules/recordedEvent.ts"
import { described, everyStart, reachableStates } from "./reachableStates.ts"
import {
  countingIds,
  everyMessage,
  factsOf,
  possible,
  second,
  started,
  startedAt,
  stepOf,
  told
} from "./startedJourneys.ts"

const bodyOf = ({ body }: RecordedEvent): Record<string, unknown> => JSON.parse(body)

describe("a recorded event", () => {
  it("has exactly the fields of the contract, and the keys of its row in its body", () => {
    const { events, journey } = started(factsOf("FINANCE_ALREADY_SUBMITTED"))
    expect(bodyOf(events[2] ?? expect.fail())).toEqual({
      id: "00000000-0000-7000-8000-000000000002",
      type: "identity.requested",
      apiVersion: "1.0.0",
      livemode: true,
      createdAt: new Date(startedAt + 2).toISOString(),
      data: {
        journeyId: journey.id,
        journeyType: "FINANCE_IDENTITY_DELIVERY",
        journeyStatus: "ACTIVE",
        externalReference: "deal-1",
        customerReference: journey.customerReference,
        financeStatus: "SUBMITTED",
        identityStatus: "REQUESTED"
      }
    })
    expect(events[2]).toMatchObject({
      id: "00000000-0000-7000-8000-000000000002",
      sequence: 3,
      type: "identity.requested",
      createdAt: startedAt + 2
    })
  })

  it("shows the statuses after the whole message, whichever event of it", () => {
    for (const reached of reachableStates) {
      for (const message of everyMessage) {
        const now = reached.now + second
        const outcome = decide(reached.journey, message, now)
        if (outcome._tag !== "Step") continue
        const { events, journey } = record(outcome, now, countingIds())
        const data = eventData(journey)
        for (const [index, event] of events.entries()) {
          const { assurance, reason } = outcome.events[index] ?? {}
          expect(bodyOf(event), described(reached)).toEqual({
            id: event.id,
            type: event.type,
            apiVersion: "1.0.0",
            livemode: journey.livemode,
            createdAt: new Date(event.createdAt).toISOString(),
            data: { ...data, ...(reason && { reason }), ...(assurance && { assurance }) }
          })
        }
      }
    }
  })

  it("carries a reason only where a submission failed or a check is unavailable, and there always", () => {
    const withReason: ReadonlySet<string> = new Set(["finance_enquiry.submission_failed", "identity.unavailable"])
    const reasons = new Set<string>()
    const look = (events: ReadonlyArray<{ readonly type: string; readonly reason?: string }>) => {
      for (const { reason, type } of events) {
        expect(reason !== undefined, type).toBe(withReason.has(type))
        if (reason !== undefined) reasons.add(`${type} ${reason}`)
      }
    }
    for (const facts of everyStart) look(decideStart(facts, startedAt).events)
    for (const { journey, now } of reachableStates) {
      for (const message of everyMessage) {
        const outcome = decide(journey, message, now + second)
        if (outcome._tag === "Step") look(outcome.events)
      }
    }
    expect([...reasons].toSorted()).toEqual([
      "finance_enquiry.submission_failed PANEL_ERROR",
      "finance_enquiry.submission_failed PANEL_NOT_CONFIGURED",
      "finance_enquiry.submission_failed SUBMISSION_ERROR",
      "identity.unavailable EKYC_NOT_CONFIGURED",
      "identity.unavailable PROVIDER_ERROR"
    ])
  })

  it("passes the reason of a message on", () => {
    const asked = started(factsOf("IDENTITY_DELIVERY")).journey
    const { events } = told(asked, { _tag: "IdentityUnavailable", reason: "EKYC_NOT_CONFIGURED" }, startedAt + second)
    expect(events.map(bodyOf)).toMatchObject([{ data: { reason: "EKYC_NOT_CONFIGURED" } }])
  })
})

describe("the log", () => {
  it("is numbered without gaps over several messages", () => {
    const first = started(factsOf("FINANCE_SUBMIT_VIA_MIRA"))
    const accepted = told(first.journey, { _tag: "PanelAccepted", check: possible }, startedAt + second)
    const declined = told(
      accepted.journey,
      { _tag: "PanelDecision", decision: "DECLINED", check: possible },
      startedAt + 9
    )
    const sequences = [first, accepted, declined].flatMap(({ events }) => events.map(({ sequence }) => sequence))
    expect(sequences).toEqual([1, 2, 3, 4, 5])
    expect(declined.journey.eventCount).toBe(5)
  })

  it("takes the clock's time when that lies ahead, and one millisecond more for each event of a batch", () => {
    const { events, journey } = started(factsOf("FINANCE_SALE"))
    expect(events.map(({ createdAt }) => createdAt)).toEqual([startedAt, startedAt + 1, startedAt + 2])
    expect(journey.lastEventAt).toBe(startedAt + 2)
    expect(told(journey, { _tag: "VideoUploaded" }, startedAt + second).journey.lastEventAt).toBe(startedAt + second)
  })

  it("keeps rising when the clock steps back", () => {
    const { journey } = started(factsOf("FINANCE_SALE"))
    const { events } = told(journey, { _tag: "Cancel" }, startedAt - 60 * second)
    expect(events.map(({ createdAt }) => createdAt)).toEqual([startedAt + 3, startedAt + 4])
  })

  it("asks for one id an event", () => {
    let asked = 0
    const taken = stepOf(decideStart(factsOf("FINANCE_SALE"), startedAt))
    record(taken, startedAt, () => `id-${asked++}`)
    expect(asked).toBe(3)
  })
})

it("starts from facts that hold nothing personal", () => {
  // A new fact of a start makes this line fail: think whether it may stand in rows and events in the clear.
  expectTypeOf<keyof StartFacts>().toEqualTypeOf<
    | "id"
    | "companyId"
    | "livemode"
    | "customerReference"
    | "isNewCustomer"
    | "externalReference"
    | "shape"
    | "handoverType"
    | "inventoryVehicleId"
    | "financeDetails"
    | "decision"
    | "check"
    | "identityWindowDays"
    | "handoverWindowDays"
    | "sandbox"
  >()
  expectTypeOf<keyof NonNullable<StartFacts["financeDetails"]>>().toEqualTypeOf<
    "panelSubmission" | "panelName" | "panelReference" | "lender"
  >()
  expect(
    Object.keys(factsOf("CASH_SALE")).filter((name) => /name|email|mobile|birth|address|face/iu.test(name))
  ).toEqual([])
})

/** Forcing outcomes in the sandbox (decisions S3 and V21). */
import { describe, expect, it } from "vitest"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { PendingMail, Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import type { Refusal } from "../../../../src/actors/journey/rules/state/step.ts"
import { eventTypes, simulatableEvents } from "../../../../src/schema/journey/events.ts"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import { described, reachableStates, testStates, type Reached } from "./reachableStates.ts"
import { driven, factsOf, mailsAmong, possible, sandbox, second, started, startedAt, told } from "./startedJourneys.ts"

type Begun = Pick<Reached, "journey" | "now">

interface Done {
  readonly _tag: "Done"
  readonly journey: Journey
  readonly types: ReadonlyArray<string>
  readonly mails: ReadonlyArray<PendingMail>
}

/** What a simulation and everything that it plans come to. */
const simulated = ({ journey, now }: Begun, event: string): Done | Refusal => {
  const message = { _tag: "Simulate", event } as const
  const outcome = decide(journey, message, now + second)
  if (outcome._tag !== "Step") return outcome
  const { events, journey: after, mails } = told(journey, message, now + second)
  return { _tag: "Done", journey: after, types: events.map(({ type }) => type), mails }
}

const typesOf = (outcome: Done | Refusal): ReadonlyArray<string> => (outcome._tag === "Done" ? outcome.types : [])

const startOf = (shape: Shape, handoverType: "IN_STORE" | "HOME_DELIVERY" = "IN_STORE"): Begun => ({
  journey: started(factsOf(shape, { handoverType, sandbox: sandbox() })).journey,
  now: startedAt
})

const active = testStates.filter(({ journey }) => journey.status === "ACTIVE")
const known = new Set(reachableStates.map(({ journey }) => JSON.stringify(statusesIn(journey))))
function statusesIn({ finance, handover, handoverType, identity, shape, status }: Reached["journey"]) {
  return [shape, handoverType, status, finance?.status, identity?.status, handover?.status]
}

describe.each(simulatableEvents)("simulating %s", (event) => {
  it("tells it and ends in a legal state, or is refused and changes nothing", () => {
    let told = 0
    for (const reached of active) {
      const outcome = simulated(reached, event)
      if (outcome._tag === "Done") {
        told += 1
        expect(typesOf(outcome), described(reached)).toContain(event)
        expect(known, described(reached)).toContain(JSON.stringify(statusesIn(outcome.journey)))
      } else {
        expect(outcome, described(reached)).toMatchObject({ _tag: "Rejected", code: "EVENT_NOT_POSSIBLE" })
      }
    }
    expect(told).toBeGreaterThan(0)
  })

  it("leaves no handover waiting to be created", () => {
    for (const reached of active) {
      const outcome = simulated(reached, event)
      if (outcome._tag !== "Done") continue
      expect(outcome.journey.owed.some(({ kind }) => kind === "CREATE_HANDOVER")).toBe(false)
    }
  })

  it("is refused on a finished journey, and on a live one", () => {
    for (const reached of reachableStates) {
      if (!reached.journey.livemode && reached.journey.status === "ACTIVE") continue
      const code = reached.journey.livemode ? "API_KEY_NOT_PERMITTED" : "JOURNEY_FINISHED"
      expect(simulated(reached, event)).toMatchObject({ _tag: "Rejected", code })
    }
  })
})

describe("simulating", () => {
  it("completes any active journey with delivery.completed", () => {
    for (const reached of active) {
      const outcome = simulated(reached, "delivery.completed")
      expect(outcome, described(reached)).toMatchObject({ _tag: "Done", journey: { status: "COMPLETED" } })
    }
  })

  it("cancels and expires any active journey's handover", () => {
    for (const reached of active) {
      expect(typesOf(simulated(reached, "delivery.cancelled")).slice(-2)).toEqual([
        "delivery.cancelled",
        "journey.cancelled"
      ])
      expect(typesOf(simulated(reached, "delivery.expired")).slice(-2)).toEqual(["delivery.expired", "journey.expired"])
    }
  })

  it("takes the missing steps of the happy path first, each with its events and mails", () => {
    const from = startOf("FINANCE_SUBMIT_VIA_MIRA", "HOME_DELIVERY")
    const outcome = simulated(from, "delivery.under_review")
    expect(typesOf(outcome)).toEqual([
      "identity.requested",
      "finance_enquiry.approved",
      "identity.verified",
      "delivery.created",
      "delivery.location_confirmed",
      "delivery.awaiting_video",
      "delivery.video_uploaded",
      "delivery.under_review"
    ])
    expect(outcome._tag === "Done" && mailsAmong(outcome.mails)).toEqual([
      "VERIFY_IDENTITY",
      "FINANCE_APPROVED",
      "CONFIRM_ADDRESS",
      "RECORD_VIDEO",
      "REVIEW_NEEDED"
    ])
  })

  it("decides in the caller's or the panel's place without asking the customer of a declined application", () => {
    const declined = ["finance_enquiry.declined", "journey.cancelled"]
    expect(typesOf(simulated(startOf("FINANCE_ALREADY_SUBMITTED"), "finance_enquiry.declined"))).toEqual(declined)
    expect(typesOf(simulated(startOf("FINANCE_SUBMIT_VIA_MIRA"), "finance_enquiry.declined"))).toEqual(declined)
  })

  it("takes no more steps than it must", () => {
    const pending = startOf("FINANCE_ALREADY_SUBMITTED")
    expect(typesOf(simulated(pending, "finance_enquiry.referred"))).toEqual(["finance_enquiry.referred"])
    expect(typesOf(simulated(pending, "identity.failed"))).toEqual(["identity.failed"])
    expect(typesOf(simulated(startOf("FINANCE_SALE"), "delivery.video_uploaded"))).toEqual(["delivery.video_uploaded"])
  })

  it("shows the handover that the event opens the way to", () => {
    expect(typesOf(simulated(startOf("IDENTITY_DELIVERY"), "identity.verified"))).toEqual([
      "identity.verified",
      "delivery.created",
      "delivery.awaiting_video"
    ])
  })

  it("sends a video under review back to the customer", () => {
    const { journey } = startOf("FINANCE_SALE")
    const inReview = driven(journey, { _tag: "VideoUploaded" }, { _tag: "VideoUnclear" })
    const outcome = simulated({ journey: inReview, now: startedAt }, "delivery.awaiting_video")
    expect(typesOf(outcome)).toEqual(["delivery.awaiting_video"])
  })

  it.each([
    ["FINANCE_SALE", "identity.verified"],
    ["CASH_SALE", "finance_enquiry.approved"],
    ["IDENTITY_DELIVERY", "finance_enquiry.declined"],
    ["FINANCE_ALREADY_SUBMITTED", "finance_enquiry.submission_failed"],
    ["FINANCE_SALE", "delivery.location_confirmed"]
  ] as const)("refuses what a journey of its kind never tells: %s, %s", (shape, event) => {
    expect(simulated(startOf(shape), event)).toMatchObject({
      _tag: "Rejected",
      code: "EVENT_NOT_POSSIBLE",
      message: expect.stringContaining("actions list the events that can")
    })
  })

  it("refuses what lies behind the journey", () => {
    const { journey } = startOf("FINANCE_SUBMIT_VIA_MIRA")
    const accepted = driven(journey, { _tag: "PanelAccepted", check: possible })
    const outcome = simulated({ journey: accepted, now: startedAt }, "finance_enquiry.submission_failed")
    expect(outcome).toMatchObject({ _tag: "Rejected", code: "EVENT_NOT_POSSIBLE" })
  })

  it("refuses events that are not simulatable, known or not, before it looks at the journey", () => {
    const others = [
      ...eventTypes.filter((type) => !simulatableEvents.some((one) => one === type)),
      "nonsense",
      "toString"
    ]
    for (const reached of testStates) {
      for (const event of others) {
        expect(simulated(reached, event)).toMatchObject({ _tag: "Rejected", code: "VALIDATION_FAILED" })
      }
    }
  })
})

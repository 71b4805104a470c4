/** The times a journey waits for (decisions X1 to X4): the customer's windows, the safety cap, and the one alarm. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { dueMessage, nextAlarm } from "../../../../src/actors/journey/rules/timers.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { statesOf } from "./history.ts"
import { activeStates, described, reachableStates } from "./reachableStates.ts"
import { play } from "./histories.ts"
import { sequences } from "./sequences.ts"
import {
  day,
  factsOf,
  impossible,
  outside,
  possible,
  sandbox,
  second,
  started,
  startedAt,
  told
} from "./startedJourneys.ts"

/** A journey after messages on given days, counted from its start. */
const onDays = (journey: Journey, ...letters: ReadonlyArray<readonly [number, JourneyMessage]>): Journey =>
  letters.reduce((at, [days, message]) => told(at, message, startedAt + days * day).journey, journey)

/** The day on which the customer's window passes, counted from the start; null while it is paused. */
const passesOn = ({ window }: Journey): number | null =>
  window?.deadline === null || window === null ? null : (window.deadline - startedAt) / day

const verify: JourneyMessage = { _tag: "IdentityVerified" }
const review: JourneyMessage = { _tag: "IdentityUnderReview" }
const fail: JourneyMessage = { _tag: "IdentityFailed" }
const unavailable: JourneyMessage = { _tag: "IdentityUnavailable", reason: "PROVIDER_ERROR" }
const resend: JourneyMessage = { _tag: "TeamResendsCheck", check: possible }
const create: JourneyMessage = { _tag: "HandoverCreated" }
const upload: JourneyMessage = { _tag: "VideoUploaded" }
const mismatch: JourneyMessage = { _tag: "VideoNotMatched" }

describe("the identity window", () => {
  it("starts with identity.requested", () => {
    expect(passesOn(started(factsOf("IDENTITY_DELIVERY")).journey)).toBe(30)
    const withPanel = started(factsOf("FINANCE_SUBMIT_VIA_MIRA")).journey
    expect(withPanel.window).toBeNull()
    expect(passesOn(onDays(withPanel, [40, { _tag: "PanelAccepted", check: possible }]))).toBe(70)
    const beingStarted = started(factsOf("IDENTITY_DELIVERY", { check: outside })).journey
    expect(beingStarted.window).toBeNull()
    expect(passesOn(onDays(beingStarted, [1, { _tag: "IdentityCheckStarted", check: 1 }]))).toBe(31)
    const unasked = started(factsOf("IDENTITY_DELIVERY", { check: impossible })).journey
    expect(unasked.window).toBeNull()
    expect(passesOn(onDays(unasked, [50, resend]))).toBe(80)
  })

  it("has the days of the company, copied at the start", () => {
    const facts = factsOf("IDENTITY_DELIVERY", { identityWindowDays: 3, handoverWindowDays: 90 })
    expect(passesOn(started(facts).journey)).toBe(3)
  })

  it("goes on while the customer tries again", () => {
    expect(passesOn(onDays(started(factsOf("IDENTITY_DELIVERY")).journey, [10, fail], [20, fail]))).toBe(30)
  })

  it("pauses in review and while no check can be started", () => {
    const asked = started(factsOf("IDENTITY_DELIVERY")).journey
    const inReview = onDays(asked, [10, review])
    expect(passesOn(inReview)).toBeNull()
    expect(passesOn(onDays(inReview, [60, fail]))).toBe(80)
    expect(passesOn(onDays(asked, [29, review], [60, fail]))).toBe(61)
    const stopped = onDays(asked, [10, unavailable])
    expect(passesOn(stopped)).toBeNull()
    expect(passesOn(onDays(stopped, [100, unavailableAgain], [101, resend]))).toBe(121)
  })

  it("runs while the lender decides and the customer verifies, and pauses while only the lender is awaited", () => {
    const pending = started(factsOf("FINANCE_ALREADY_SUBMITTED")).journey
    expect(passesOn(pending)).toBe(30)
    expect(passesOn(onDays(pending, [10, verify]))).toBeNull()
    expect(passesOn(onDays(pending, [10, { _tag: "FinanceDecision", decision: "REFERRED" }]))).toBe(30)
  })

  it("gives way to a whole handover window", () => {
    const facts = factsOf("IDENTITY_DELIVERY", { identityWindowDays: 30, handoverWindowDays: 5 })
    expect(passesOn(onDays(started(facts).journey, [29, verify], [29, create]))).toBe(34)
  })
})

const unavailableAgain: JourneyMessage = { _tag: "TeamResendsCheck", check: impossible }

describe("the handover window", () => {
  const home = started(factsOf("FINANCE_SALE", { handoverType: "HOME_DELIVERY" })).journey

  it("starts with delivery.created and goes on from the address to the video", () => {
    expect(passesOn(home)).toBe(30)
    expect(passesOn(onDays(home, [10, { _tag: "LocationConfirmed" }]))).toBe(30)
    expect(passesOn(onDays(home, [10, { _tag: "ReplaceFace" }]))).toBe(30)
  })

  it("has the days of the company, copied at the start", () => {
    expect(passesOn(started(factsOf("FINANCE_SALE", { handoverWindowDays: 90 })).journey)).toBe(90)
  })

  it("starts on a cash sale at once, and pauses while the identity check is not with the customer", () => {
    const cashSale = started(factsOf("CASH_SALE", { identityWindowDays: 1 })).journey
    expect(passesOn(cashSale)).toBe(30)
    expect(passesOn(onDays(cashSale, [10, verify]))).toBe(30)
    expect(passesOn(onDays(cashSale, [10, review]))).toBeNull()
    expect(passesOn(onDays(cashSale, [10, review], [20, fail]))).toBe(40)
    expect(passesOn(onDays(cashSale, [10, unavailable], [20, resend]))).toBe(40)
  })

  it("begins whole when a cash sale's check could not be started at first, however short", () => {
    // It counted as a return to the customer, so a window of 3 days became one of 7.
    const unasked = started(factsOf("CASH_SALE", { check: impossible, handoverWindowDays: 3 })).journey
    expect(passesOn(unasked)).toBeNull()
    expect(passesOn(onDays(unasked, [10, resend]))).toBe(13)
  })

  it("begins whole when an outside provider has started the check of a cash sale", () => {
    const beingStarted = started(factsOf("CASH_SALE", { check: outside, handoverWindowDays: 3 })).journey
    expect(passesOn(beingStarted)).toBeNull()
    expect(passesOn(onDays(beingStarted, [1, { _tag: "IdentityCheckStarted", check: 1 }]))).toBe(4)
  })

  it("pauses while a video is checked or reviewed and keeps what is left of it", () => {
    const inStore = started(factsOf("FINANCE_SALE")).journey
    const uploaded = onDays(inStore, [10, upload])
    expect(passesOn(uploaded)).toBeNull()
    expect(passesOn(onDays(uploaded, [12, mismatch]))).toBe(32)
    const inReview = onDays(uploaded, [12, { _tag: "VideoUnclear" }])
    expect(passesOn(inReview)).toBeNull()
    expect(passesOn(onDays(inReview, [60, { _tag: "TeamRejectsVideo" }]))).toBe(80)
  })

  it("leaves the customer at least 7 days on return", () => {
    const inStore = started(factsOf("FINANCE_SALE")).journey
    expect(passesOn(onDays(inStore, [29, upload], [30, mismatch]))).toBe(37)
    expect(passesOn(onDays(inStore, [23, upload], [24, mismatch]))).toBe(31)
    const late = onDays(inStore, [29, upload], [40, { _tag: "VideoUnclear" }])
    expect(passesOn(onDays(late, [50, { _tag: "TeamRejectsVideo" }]))).toBe(57)
  })

  it("leaves 7 days also when a simulation passes through the check of a video", () => {
    const test = started(factsOf("FINANCE_SALE", { sandbox: sandbox() })).journey
    expect(passesOn(onDays(test, [29, { _tag: "Simulate", event: "delivery.awaiting_video" }]))).toBe(36)
  })
})

/** Whether time runs against the customer: they are at the identity check, the address or the video. */
const isAtCustomer = ({ handover, identity, status }: Journey): boolean =>
  status === "ACTIVE" &&
  (handover === null || handover.status === "AWAITING_IDENTITY"
    ? identity?.status === "REQUESTED" || identity?.status === "FAILED"
    : handover.status === "AWAITING_LOCATION" || handover.status === "AWAITING_VIDEO")

it("lets a window run exactly while the customer is awaited, an ended journey has none", () => {
  for (const reached of reachableStates) {
    const { status, window } = reached.journey
    expect(window !== null && window.deadline !== null, described(reached)).toBe(isAtCustomer(reached.journey))
    if (status !== "ACTIVE") expect(window, described(reached)).toBeNull()
  }
})

/** The journey once others have done what it owed them to do, and its customer has had all reminders. */
const withoutWork = (journey: Journey): Journey => {
  const { reminders: _, ...rest } = journey
  return { ...rest, owed: [] }
}

describe("the safety cap", () => {
  it("ends a journey after 180 days whoever it waits for, and not before", () => {
    const paused = activeStates.filter(
      ({ journey }) => journey.window?.deadline === undefined || journey.window.deadline === null
    )
    for (const reached of paused) {
      const { journey } = reached
      if (journey.owed.length > 0 || journey.sandbox?.tickAt !== null) continue
      const cap = startedAt + 180 * day
      expect(dueMessage(journey, cap - 1), described(reached)).toBeNull()
      expect(dueMessage(journey, cap), described(reached)).toEqual({ _tag: "SafetyCapPassed" })
    }
    const waiting = withoutWork(started(factsOf("FINANCE_SUBMIT_VIA_MIRA")).journey)
    expect(nextAlarm(waiting)).toBe(startedAt + 180 * day)
    expect(dueMessage(waiting, startedAt + 180 * day - 1)).toBeNull()
    const ended = onDays(waiting, [180, { _tag: "SafetyCapPassed" }])
    expect(ended.status).toBe("EXPIRED")
    expect(nextAlarm(ended)).toBeNull()
  })

  it("cuts a window short that would end after it", () => {
    const late = withoutWork(
      onDays(started(factsOf("FINANCE_SUBMIT_VIA_MIRA")).journey, [170, { _tag: "PanelAccepted", check: possible }])
    )
    expect(passesOn(late)).toBe(200)
    expect(nextAlarm(late)).toBe(startedAt + 180 * day)
    expect(dueMessage(late, startedAt + 180 * day)).toEqual({ _tag: "SafetyCapPassed" })
  })
})

describe("the alarm", () => {
  it("ends a journey whose time is over before work for it is begun, and is never earlier than the journey", () => {
    const { journey } = started(factsOf("FINANCE_SUBMIT_VIA_MIRA"))
    expect(nextAlarm(journey)).toBe(startedAt)
    expect(dueMessage(journey, startedAt + 180 * day - 1)).toMatchObject({ _tag: "OwedBegun" })
    expect(dueMessage(journey, startedAt + 180 * day)).toEqual({ _tag: "SafetyCapPassed" })
  })

  it("is the earliest of the window, the cap and the sandbox's tick", () => {
    expect(nextAlarm(withoutWork(started(factsOf("IDENTITY_DELIVERY")).journey))).toBe(startedAt + 30 * day)
    const test = started(factsOf("IDENTITY_DELIVERY", { sandbox: sandbox() })).journey
    expect(nextAlarm(test)).toBe(startedAt + 5 * second)
    const byHand = started(factsOf("IDENTITY_DELIVERY", { sandbox: { ...sandbox(), stepMillis: null } })).journey
    expect(nextAlarm(withoutWork(byHand))).toBe(startedAt + 30 * day)
  })

  it("is overdue as soon as the handover can be created, even when the clock steps back", () => {
    const verified = told(started(factsOf("IDENTITY_DELIVERY")).journey, verify, startedAt + day).journey
    expect(nextAlarm(verified)).toBeLessThanOrEqual(startedAt)
    expect(dueMessage(verified, startedAt)).toEqual({ _tag: "HandoverCreated" })
  })

  it("passes the window on its day and not before", () => {
    const asked = withoutWork(started(factsOf("IDENTITY_DELIVERY")).journey)
    expect(dueMessage(asked, startedAt + 30 * day - 1)).toBeNull()
    expect(dueMessage(asked, startedAt + 30 * day)).toEqual({ _tag: "CustomerWindowPassed" })
  })

  it("has something due exactly when it is not in the future", () => {
    const lives = sequences({ clock: "steady" })
    fc.assert(
      fc.property(lives, fc.integer({ min: 0, max: 200 * day }), (life, ahead) => {
        for (const { journey, now } of statesOf(play(life))) {
          const alarm = nextAlarm(journey)
          const instants = alarm === null ? [now, now + ahead] : [now, now + ahead, alarm - 1, alarm]
          for (const instant of instants) {
            if (instant < startedAt) continue
            expect(dueMessage(journey, instant) !== null).toBe(alarm !== null && instant >= alarm)
          }
        }
      }),
      { numRuns: 500 }
    )
  })

  it("brings only messages that are steps, so that it does not ring for ever", () => {
    fc.assert(
      fc.property(sequences({ clock: "steps back" }), (life) => {
        for (const { journey } of statesOf(play(life))) {
          const alarm = nextAlarm(journey)
          if (alarm === null) continue
          const message = dueMessage(journey, alarm)
          expect(message === null ? "nothing" : decide(journey, message, alarm)._tag).toBe("Step")
        }
      }),
      { numRuns: 500 }
    )
  })
})

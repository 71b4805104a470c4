/** When the customer is reminded of a step (M1, M8): 24 and 72 hours after the ask, and 7 days before the window ends. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { plannedMessage } from "../../../../src/actors/journey/rules/plan.ts"
import { dueMessage, nextAlarm } from "../../../../src/actors/journey/rules/timers.ts"
import { stepAskedOf } from "../../../../src/actors/journey/rules/state/waiting.ts"
import type { Reminder } from "../../../../src/schema/journey/steps.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { statesOf } from "./history.ts"
import { described, reachableStates } from "./reachableStates.ts"
import { play } from "./histories.ts"
import { sequences } from "./sequences.ts"
import { factsOf, mailsAmong, possible, sandbox, second, started, startedAt, told } from "./startedJourneys.ts"

const hour = 60 * 60 * second

/** The journey without the work that others do for it. */
const asked = (shape: "IDENTITY_DELIVERY" | "FINANCE_SALE", windowDays = 30): Journey => ({
  ...started(factsOf(shape, { identityWindowDays: windowDays, handoverWindowDays: windowDays })).journey,
  owed: []
})

const at = (journey: Journey, hours: number, message: JourneyMessage): Journey => ({
  ...told(journey, message, startedAt + hours * hour).journey,
  owed: []
})

interface Lived {
  /** Hours from the start, and what the mail reminds of. */
  readonly mails: ReadonlyArray<readonly [number, string]>
  readonly journey: Journey
}

/** A journey whose alarms are heard as they ring, until a time. */
const lived = (journey: Journey, untilHours = 365 * 24): Lived => {
  const mails: Array<readonly [number, string]> = []
  let now = journey
  for (;;) {
    const alarm = nextAlarm(now)
    if (alarm === null || alarm > startedAt + untilHours * hour) return { mails, journey: now }
    const message = dueMessage(now, alarm) ?? expect.fail("the alarm rang for nothing")
    const recorded = told(now, message, alarm)
    mails.push(...mailsAmong(recorded.mails).map((mail) => [(alarm - startedAt) / hour, mail] as const))
    now = recorded.journey
  }
}

const verify = (reminder: Reminder) => `VERIFY_IDENTITY reminder ${reminder}`
const record = (reminder: Reminder) => `RECORD_VIDEO reminder ${reminder}`

describe("a customer who does nothing", () => {
  it("is reminded after 24 and 72 hours and 7 days before the window ends, and then no more", () => {
    const { journey, mails } = lived(asked("IDENTITY_DELIVERY"))
    expect(mails).toEqual([
      [24, verify("FIRST")],
      [72, verify("SECOND")],
      [23 * 24, verify("LAST")]
    ])
    expect(journey.status).toBe("EXPIRED")
    expect(lived(asked("FINANCE_SALE")).mails.map(([, mail]) => mail)).toEqual([
      record("FIRST"),
      record("SECOND"),
      record("LAST")
    ])
  })

  it.each([
    [1, []],
    [2, [[24, verify("FIRST")]]],
    [3, [[24, verify("FIRST")]]],
    [
      7,
      [
        [24, verify("FIRST")],
        [72, verify("SECOND")]
      ]
    ],
    // Two that fall together are one mail.
    [
      8,
      [
        [24, verify("LAST")],
        [72, verify("SECOND")]
      ]
    ]
  ] as const)("with a window of %d days has no reminder that the window is too short for", (days, mails) => {
    expect(lived(asked("IDENTITY_DELIVERY", days)).mails).toEqual(mails)
  })

  it("gets one mail, the latest, for all that were due while nobody sent mail", () => {
    const journey = asked("IDENTITY_DELIVERY")
    const late = startedAt + 80 * hour
    expect(dueMessage(journey, late)).toEqual({ _tag: "CustomerReminded", reminder: "SECOND" })
    const reminded = told(journey, { _tag: "CustomerReminded", reminder: "SECOND" }, late)
    expect(mailsAmong(reminded.mails)).toEqual([verify("SECOND")])
    expect(reminded.events).toEqual([])
    expect(lived(reminded.journey).mails).toEqual([[23 * 24, verify("LAST")]])
  })
})

describe("reminders end", () => {
  it("with the step, and begin anew with the next one", () => {
    const journey = asked("FINANCE_SALE")
    const uploaded = at(lived(journey, 30).journey, 30, { _tag: "VideoUploaded" })
    expect(uploaded).not.toHaveProperty("reminders")
    expect(lived(uploaded, 60 * 24).mails).toEqual([])
    const again = at(uploaded, 100, { _tag: "VideoNotMatched" })
    expect(lived(again, 100 + 73).mails).toEqual([
      [124, record("FIRST")],
      [172, record("SECOND")]
    ])
  })

  it("while a reviewer looks, and begin anew when the customer is asked again", () => {
    const inReview = at(asked("IDENTITY_DELIVERY"), 10, { _tag: "IdentityUnderReview" })
    expect(lived(inReview, 100 * 24).mails).toEqual([])
    const failed = at(inReview, 100, { _tag: "IdentityFailed" })
    expect(lived(failed, 125).mails).toEqual([[124, verify("FIRST")]])
  })

  it("and begin anew with a failed try and with a check that is resent", () => {
    const failed = at(lived(asked("IDENTITY_DELIVERY"), 30).journey, 30, { _tag: "IdentityFailed" })
    expect(lived(failed, 55).mails).toEqual([[54, verify("FIRST")]])
    const stopped = at(failed, 40, { _tag: "IdentityUnavailable", reason: "PROVIDER_ERROR" })
    expect(lived(stopped, 100).mails).toEqual([])
    const resent = at(stopped, 100, { _tag: "TeamResendsCheck", check: possible })
    expect(lived(resent, 125).mails).toEqual([[124, verify("FIRST")]])
  })

  it("and do not begin anew with what is no ask: a decision of the lender, a new photo", () => {
    const pending: Journey = { ...started(factsOf("FINANCE_ALREADY_SUBMITTED")).journey, owed: [] }
    const referred = at(pending, 20, { _tag: "FinanceDecision", decision: "REFERRED" })
    expect(lived(referred, 25).mails).toEqual([[24, verify("FIRST")]])
    expect(lived(at(asked("FINANCE_SALE"), 20, { _tag: "ReplaceFace" }), 25).mails).toEqual([[24, record("FIRST")]])
  })
})

it("a reminder that is not due, was sent, or comes after the end is ignored", () => {
  const journey = asked("IDENTITY_DELIVERY")
  const first: JourneyMessage = { _tag: "CustomerReminded", reminder: "FIRST" }
  expect(decide(journey, first, startedAt + 24 * hour - 1)._tag).toBe("Ignored")
  expect(decide(journey, { ...first, reminder: "LAST" }, startedAt + 24 * hour)._tag).toBe("Ignored")
  const sent = at(journey, 24, first)
  expect(decide(sent, first, startedAt + 25 * hour)._tag).toBe("Ignored")
  const cancelled = at(journey, 1, { _tag: "Cancel" })
  expect(decide(cancelled, first, startedAt + 24 * hour)).toEqual({ _tag: "Ignored", reason: "the journey has ended" })
})

it("a journey of an earlier version, which knows of no ask, is reminded from its next ask on", () => {
  const { reminders: _, ...old } = asked("IDENTITY_DELIVERY")
  expect(lived(old, 29 * 24).mails).toEqual([])
  expect(lived(at(old, 50, { _tag: "IdentityFailed" }), 75).mails).toEqual([[74, verify("FIRST")]])
})

it("a test journey that waits by itself is reminded too", () => {
  const byHand = started(factsOf("IDENTITY_DELIVERY", { sandbox: { ...sandbox(), stepMillis: null } })).journey
  expect(lived(byHand, 24).mails).toEqual([[24, verify("FIRST")]])
})

it("a journey knows of an ask exactly while its customer is awaited", () => {
  for (const reached of reachableStates) {
    expect(reached.journey.reminders !== undefined, described(reached)).toBe(stepAskedOf(reached.journey) !== null)
  }
})

it("whatever happened to a journey, it sends three reminders at most for an ask, and none while nobody is asked", () => {
  fc.assert(
    fc.property(sequences({ clock: "steps back" }), (life) => {
      for (const { journey } of statesOf(play(life))) {
        const movesByItself = (journey.sandbox?.tickAt ?? null) !== null || plannedMessage(journey) !== null
        if (journey.status !== "ACTIVE" || movesByItself) continue
        // Nobody does what is owed, or answers: the customer is asked for nothing else.
        const alone = lived({ ...journey, owed: [] })
        if (alone.journey.status === "ACTIVE") expect.fail("a journey left alone never ends")
        const kinds = alone.mails.map(([, mail]) => mail)
        expect(new Set(kinds).size).toBe(kinds.length)
        expect(kinds.length).toBeLessThanOrEqual(stepAskedOf(journey) === null ? 0 : 3)
        expect(kinds.every((mail) => mail.startsWith(`${stepAskedOf(journey)} reminder `))).toBe(true)
      }
    }),
    { numRuns: 300 }
  )
})

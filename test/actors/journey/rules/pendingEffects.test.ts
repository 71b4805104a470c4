/** Work that a journey owes and others do, begun, failed, tried again and given up; and results that come late. */
import { describe, expect, it } from "vitest"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { isExternal, retryPolicies } from "../../../../src/actors/journey/rules/pendingEffects.ts"
import { dueMessage, nextAlarm } from "../../../../src/actors/journey/rules/timers.ts"
import type { CheckPossible, JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { day, driven, factsOf, outside, possible, second, started, startedAt, told } from "./startedJourneys.ts"

const submitting = () => started(factsOf("FINANCE_SUBMIT_VIA_MIRA")).journey
const work = (journey: Journey) => journey.owed.find(isExternal)

describe("work that others do", () => {
  const serial = work(submitting())?.serial ?? 0
  const begun = (journey: Journey, now: number) => told(journey, { _tag: "OwedBegun", serial }, now).journey
  const failed = (journey: Journey, now: number) =>
    told(journey, { _tag: "OwedFailed", serial, definite: false }, now).journey

  it("is due at once, and once begun not before an attempt must be over, whoever died over it", () => {
    const journey = submitting()
    expect(dueMessage(journey, startedAt)).toEqual({ _tag: "OwedBegun", serial, kind: "SUBMIT_APPLICATION" })
    const under = begun(journey, startedAt)
    expect(decide(under, { _tag: "OwedBegun", serial }, startedAt + 1)._tag).toBe("Ignored")
    expect(nextAlarm(under)).toBe(startedAt + retryPolicies.SUBMIT_APPLICATION.attemptWithinMillis)
    expect(dueMessage(under, startedAt + retryPolicies.SUBMIT_APPLICATION.attemptWithinMillis)).toEqual({
      _tag: "OwedBegun",
      serial,
      kind: "SUBMIT_APPLICATION"
    })
  })

  it("is tried again after 1 s, 5 s, 30 s and 2 min, and has then failed (F5)", () => {
    let journey = submitting()
    let now = startedAt
    for (const delay of [second, 5 * second, 30 * second, 120 * second]) {
      journey = failed(begun(journey, now), now)
      expect(nextAlarm(journey)).toBe(now + delay)
      now += delay
    }
    const given = told(begun(journey, now), { _tag: "OwedFailed", serial, definite: false }, now)
    expect(given.journey.finance).toMatchObject({ status: "SUBMISSION_FAILED", reason: "PANEL_ERROR" })
    expect(given.journey.owed).toEqual([])
    expect(given.events.map(({ type }) => type)).toEqual(["finance_enquiry.submission_failed", "journey.cancelled"])
  })

  it("attempts of which nothing was heard use up none of the retries: perhaps nobody was asked (F5)", () => {
    let journey = submitting()
    let now = startedAt
    for (let lost = 0; lost < 10; lost += 1) {
      journey = begun(journey, now)
      now += retryPolicies.SUBMIT_APPLICATION.attemptWithinMillis
    }
    for (const delay of [second, 5 * second, 30 * second, 120 * second]) {
      journey = failed(begun(journey, now), now)
      expect([journey.status, nextAlarm(journey)]).toEqual(["ACTIVE", now + delay])
      now += delay
    }
    expect(failed(begun(journey, now), now).status).toBe("CANCELLED")
  })

  it("that an attempt failed is not heard any more once another was begun", () => {
    const first = begun(submitting(), startedAt)
    const later = startedAt + retryPolicies.SUBMIT_APPLICATION.attemptWithinMillis
    const second = begun(first, later)
    const failure = { _tag: "OwedFailed", serial, definite: true } as const
    expect(decide(second, { ...failure, attempt: 1 }, later)._tag).toBe("Ignored")
    expect(told(second, { ...failure, attempt: 2 }, later).journey.status).toBe("CANCELLED")
  })

  it("is not tried again after a definite refusal (F5)", () => {
    const given = told(begun(submitting(), startedAt), { _tag: "OwedFailed", serial, definite: true }, startedAt)
    expect(given.journey.status).toBe("CANCELLED")
  })

  it("a deletion is never given up: the last of its pauses comes again and again (D7)", () => {
    const deletion = { kind: "DELETE_BIOMETRICS", serial: 99 } as const
    let journey: Journey = { ...submitting(), owed: [deletion] }
    const refused = { _tag: "OwedFailed", serial: deletion.serial, definite: true } as const
    const pauses = [1, 10, 60, 600, 600, 600].map((seconds) => seconds * second)
    for (const pause of pauses) {
      journey = told(journey, refused, startedAt).journey
      expect(work(journey)?.dueAt).toBe(startedAt + pause)
    }
  })

  it("a check that cannot be started is tried again after 1, 5 and 15 minutes, and is then unavailable (D2)", () => {
    let { journey } = started(factsOf("IDENTITY_DELIVERY", { check: outside }))
    const number = work(journey)?.serial ?? 0
    const fail: JourneyMessage = { _tag: "OwedFailed", serial: number, definite: false }
    let now = startedAt
    for (const minutes of [1, 5, 15]) {
      journey = told(told(journey, { _tag: "OwedBegun", serial: number }, now).journey, fail, now).journey
      expect(nextAlarm(journey)).toBe(now + minutes * 60 * second)
      now += minutes * 60 * second
    }
    const given = told(told(journey, { _tag: "OwedBegun", serial: number }, now).journey, fail, now)
    expect(given.events.map(({ type }) => type)).toEqual(["identity.unavailable"])
    expect(given.journey.identity).toMatchObject({ status: "UNAVAILABLE", requestedAt: null, reason: "PROVIDER_ERROR" })
    expect(given.journey.owed).toEqual([])
  })

  it("a provider's page that does not come while a reviewer looks is missed when the customer is sent back there (D2)", () => {
    const asked = started(factsOf("IDENTITY_DELIVERY", { check: outside })).journey
    const number = work(asked)?.serial ?? 0
    const fail: JourneyMessage = { _tag: "OwedFailed", serial: number, definite: true }
    const looked = told(asked, { _tag: "IdentityUnderReview", check: 1 }, startedAt).journey
    const { journey: waiting } = told(looked, fail, startedAt)
    expect([waiting.identity?.status, work(waiting)?.serial]).toEqual(["UNDER_REVIEW", number])
    expect(nextAlarm(waiting)).toBe(startedAt + 15 * 60 * second)
    const sentBack = told(waiting, { _tag: "IdentityFailed", check: 1 }, startedAt).journey
    const missed = told(sentBack, fail, startedAt)
    expect(missed.events.map(({ type }) => type)).toEqual(["identity.unavailable"])
    expect(
      told(missed.journey, { _tag: "TeamResendsCheck", check: outside }, startedAt).journey.identity
    ).toMatchObject({
      status: "BEING_STARTED"
    })
    // A reviewer who is content needs no page.
    const content = told(waiting, { _tag: "IdentityVerified", check: 1 }, startedAt).journey
    expect(work(content)).toBeUndefined()
  })

  it("a check that an earlier version asked for before it was started is finished as that version would have", () => {
    const asked = started(factsOf("IDENTITY_DELIVERY")).journey
    const before: Journey = { ...asked, owed: [{ kind: "START_IDENTITY_CHECK", serial: 9 }] }
    const page = told(before, { _tag: "IdentityCheckStarted", check: 1 }, startedAt + second)
    expect([page.journey.owed, page.events, page.journey.identity]).toEqual([[], [], asked.identity])
    const refused = told(before, { _tag: "OwedFailed", serial: 9, definite: true }, startedAt + second)
    expect(refused.events.map(({ type }) => type)).toEqual(["identity.unavailable"])
    expect(refused.journey.identity).toMatchObject({ status: "UNAVAILABLE", requestedAt: startedAt })
  })

  it("a check of an earlier version, which has no number, takes no result that names another check", () => {
    const asked = started(factsOf("IDENTITY_DELIVERY")).journey
    const before: Journey = { ...asked, identity: { status: "REQUESTED", requestedAt: startedAt, attempts: 0 } }
    const outcomeOf = (check: number) => decide(before, { _tag: "IdentityFailed", check }, startedAt + second)._tag
    expect([outcomeOf(0), outcomeOf(1)]).toEqual(["Step", "Ignored"])
  })

  it("a check that a message of an earlier version asks for, without saying who makes it, is started first", () => {
    const unnamed: CheckPossible = { possible: true }
    const live = told(submitting(), { _tag: "PanelAccepted", check: unnamed }, startedAt + second)
    expect([live.journey.identity?.status, live.events]).toEqual(["BEING_STARTED", []])
  })

  it("a video nobody could check goes to the team", () => {
    const uploaded = driven(started(factsOf("FINANCE_SALE")).journey, { _tag: "VideoUploaded" })
    const number = work(uploaded)?.serial ?? 0
    const failure = { _tag: "OwedFailed", serial: number, definite: true } as const
    const given = told(uploaded, { ...failure, reason: "TOOK_TOO_LONG" }, startedAt + day)
    expect(given.events.map(({ type }) => type)).toEqual(["delivery.under_review"])
    expect(given.journey.owed).toEqual([])
    expect(given.journey.handover).toMatchObject({ status: "UNDER_REVIEW", reasons: ["TOOK_TOO_LONG"] })
    expect(told(uploaded, failure, startedAt + day).journey.handover).not.toHaveProperty("reasons")
  })

  it("changes nothing once it is done or no longer wanted", () => {
    const done = told(submitting(), { _tag: "OwedDone", serial }, startedAt).journey
    for (const message of [
      { _tag: "OwedBegun", serial },
      { _tag: "OwedDone", serial },
      { _tag: "OwedFailed", serial, definite: true }
    ] as const) {
      expect(decide(done, message, startedAt + day)._tag).toBe("Ignored")
    }
  })
})

describe("a verdict on a video", () => {
  it("counts for the video that was checked, and not for the next one of the customer", () => {
    const first = driven(started(factsOf("FINANCE_SALE")).journey, { _tag: "VideoUploaded" })
    const number = work(first)?.serial ?? 0
    const refused = told(first, { _tag: "VideoNotMatched", serial: number }, startedAt).journey
    const again = driven(refused, { _tag: "VideoUploaded" })
    const next = work(again)?.serial ?? 0
    for (const _tag of ["VideoMatched", "VideoUnclear", "VideoNotMatched"] as const) {
      expect(decide(again, { _tag, serial: number }, startedAt)._tag).toBe("Ignored")
    }
    expect(told(again, { _tag: "VideoMatched", serial: next }, startedAt).journey.status).toBe("COMPLETED")
    // A node of the version before does not name the check.
    expect(told(again, { _tag: "VideoMatched" }, startedAt).journey.status).toBe("COMPLETED")
  })
})

describe("a result of an identity check", () => {
  it("counts for the request that it is about, and is late for any other (D5)", () => {
    const asked = started(factsOf("IDENTITY_DELIVERY")).journey
    const lost = told(asked, { _tag: "IdentityUnavailable", reason: "PROVIDER_ERROR" }, startedAt).journey
    const again = told(lost, { _tag: "TeamResendsCheck", check: possible }, startedAt + day).journey
    const late = decide(again, { _tag: "IdentityVerified", check: 1 }, startedAt + day)
    expect(late._tag).toBe("Ignored")
    expect(decide(again, { _tag: "IdentityVerified", check: 2 }, startedAt + day)._tag).toBe("Step")
    expect(decide(again, { _tag: "IdentityVerified" }, startedAt + day)._tag).toBe("Step")
  })
})

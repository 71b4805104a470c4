/** Work that a journey owes and others do, begun, failed, tried again and given up; and results that come late. */
import { describe, expect, it } from "vitest"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { Journey } from "../../../../src/actors/journey/rules/Journey.ts"
import { isExternal, retryPolicies } from "../../../../src/actors/journey/rules/pendingEffects.ts"
import { dueMessage, nextAlarm } from "../../../../src/actors/journey/rules/timers.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { day, driven, factsOf, possible, second, started, startedAt, told } from "./startedJourneys.ts"

const submitting = () => started(factsOf("FINANCE_SUBMIT_VIA_MIRA")).journey
const work = (journey: Journey) => journey.owed.find(isExternal)

describe("work that others do", () => {
  const serial = work(submitting())?.serial ?? 0
  const begun = (journey: Journey, now: number) => told(journey, { _tag: "OwedBegun", serial }, now).journey
  const failed = (journey: Journey, now: number) =>
    told(journey, { _tag: "OwedFailed", serial, definite: false }, now).journey

  it("is due at once, and once begun not before an attempt must be over, whoever died over it", () => {
    const journey = submitting()
    expect(dueMessage(journey, startedAt)).toEqual({ _tag: "OwedBegun", serial })
    const under = begun(journey, startedAt)
    expect(decide(under, { _tag: "OwedBegun", serial }, startedAt + 1)._tag).toBe("Ignored")
    expect(nextAlarm(under)).toBe(startedAt + retryPolicies.SUBMIT_APPLICATION.attemptWithinMillis)
    expect(dueMessage(under, startedAt + retryPolicies.SUBMIT_APPLICATION.attemptWithinMillis)).toEqual({
      _tag: "OwedBegun",
      serial
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

  it("is not tried again after a definite refusal (F5)", () => {
    const given = told(begun(submitting(), startedAt), { _tag: "OwedFailed", serial, definite: true }, startedAt)
    expect(given.journey.status).toBe("CANCELLED")
  })

  it("a check that cannot be started is tried again after 1, 5 and 15 minutes, and is then unavailable (D2)", () => {
    let { journey } = started(factsOf("IDENTITY_DELIVERY"))
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
    expect(given.journey.identity).toMatchObject({ status: "UNAVAILABLE", reason: "PROVIDER_ERROR" })
  })

  it("a video nobody could check goes to the team", () => {
    const uploaded = driven(started(factsOf("FINANCE_SALE")).journey, { _tag: "VideoUploaded" })
    const number = work(uploaded)?.serial ?? 0
    const given = told(uploaded, { _tag: "OwedFailed", serial: number, definite: true }, startedAt + day)
    expect(given.events.map(({ type }) => type)).toEqual(["delivery.under_review"])
    expect(given.journey.owed).toEqual([])
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

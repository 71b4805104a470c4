/** When a mail that has waited is out of date, over all reachable states of a journey. */
import { describe, expect, it } from "vitest"
import { stepAskedOf } from "../../../src/actors/journey/rules/state/waiting.ts"
import { customerSteps } from "../../../src/schema/journey/steps.ts"
import { decide } from "../../../src/actors/journey/rules/decide.ts"
import { decideStart } from "../../../src/actors/journey/rules/decideStart.ts"
import { record } from "../../../src/actors/journey/rules/recordedEvent.ts"
import { isStale } from "../../../src/actors/mail/writers/isStale.ts"
import { everyStart, reachableStates } from "../journey/rules/reachableStates.ts"
import { countingIds, driven, ordinaryMessages, second, startedAt } from "../journey/rules/startedJourneys.ts"
import { live } from "./mailContexts.ts"

const moves = reachableStates.flatMap(({ journey, now }) =>
  ordinaryMessages.flatMap((message) => {
    const outcome = decide(journey, message, now + second)
    return outcome._tag === "Step" ? [{ journey, message, ...after(outcome, now + second) }] : []
  })
)
const begun = everyStart.map((facts) => after(decideStart(facts, startedAt), startedAt))

function after(step: Parameters<typeof record>[0], now: number) {
  const { journey: next, mails } = record(step, now, countingIds())
  return { next, mails }
}

describe("a mail", () => {
  it("is not stale in the state that follows from the decision that owed it", () => {
    const all = [...begun, ...moves]
    expect(all.flatMap(({ mails }) => mails).length).toBeGreaterThan(1000)
    for (const { mails, next } of all) {
      for (const { mail } of mails) expect([mail, isStale(mail, next)]).toEqual([mail, false])
    }
  })

  it("asks for a step only while the journey waits for just that step", () => {
    for (const { journey } of reachableStates) {
      const asking = customerSteps.filter((step) => !isStale(step, journey))
      expect(asking).toEqual(customerSteps.filter((step) => step === stepAskedOf(journey)))
      if (journey.status !== "ACTIVE") expect(asking).toEqual([])
    }
  })
})

describe("news", () => {
  it("is not told of a journey that was cancelled or has expired, a declined application excepted", () => {
    const approved = driven(live("FINANCE_ALREADY_SUBMITTED"), { _tag: "FinanceDecision", decision: "APPROVED" })
    expect(isStale("FINANCE_APPROVED", approved)).toBe(false)
    expect(isStale("FINANCE_APPROVED", driven(approved, { _tag: "Cancel" }))).toBe(true)
    expect(isStale("WELCOME", driven(live("CASH_SALE"), { _tag: "Cancel" }))).toBe(true)
    expect(isStale("WELCOME", driven(live("CASH_SALE"), { _tag: "CustomerWindowPassed" }))).toBe(true)
    const declined = driven(live("FINANCE_ALREADY_SUBMITTED"), { _tag: "FinanceDecision", decision: "DECLINED" })
    expect([declined.status, isStale("FINANCE_UPDATED", declined)]).toEqual(["CANCELLED", false])
    expect(isStale("WELCOME", declined)).toBe(false)
  })

  it("of a referral is still told after the approval that followed it", () => {
    const decisions = (["REFERRED", "APPROVED"] as const).map(
      (decision) => ({ _tag: "FinanceDecision", decision }) as const
    )
    expect(isStale("FINANCE_UPDATED", driven(live("FINANCE_ALREADY_SUBMITTED"), ...decisions))).toBe(false)
  })
})

describe("mail to the team", () => {
  it("asks for a review only while something is under review", () => {
    const reviewed = driven(live("IDENTITY_DELIVERY"), { _tag: "IdentityUnderReview" })
    expect(isStale("REVIEW_NEEDED", reviewed)).toBe(false)
    expect(isStale("REVIEW_NEEDED", driven(reviewed, { _tag: "IdentityVerified" }))).toBe(true)
    expect(isStale("REVIEW_NEEDED", driven(reviewed, { _tag: "Cancel" }))).toBe(true)
  })

  it("tells of an unavailable check only while it is", () => {
    const unavailable = driven(live("IDENTITY_DELIVERY"), { _tag: "IdentityUnavailable", reason: "PROVIDER_ERROR" })
    expect(isStale("CHECK_UNAVAILABLE", unavailable)).toBe(false)
    const resent = driven(unavailable, { _tag: "TeamResendsCheck", check: { possible: true, by: "BUILT_IN" } })
    expect(isStale("CHECK_UNAVAILABLE", resent)).toBe(true)
  })
})

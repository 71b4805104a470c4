import { describe, expect, it } from "vitest"
import { decide } from "../../../src/actors/journey/rules/decide.ts"
import type { Journey } from "../../../src/actors/journey/rules/state/Journey.ts"
import { nextAction } from "../../../src/actors/journey/rules/state/waiting.ts"
import { openReview } from "../../../src/actors/journey/rules/state/waiting.ts"
import { beginningOf, messageOf } from "../../../src/actors/review/review.ts"
import { reachableStates } from "../journey/rules/reachableStates.ts"

const now = Date.UTC(2026, 0, 20)

const reachable = reachableStates.map(({ journey }) => journey)
const inReview = reachable.filter((journey) => openReview(journey) !== null)

const afterApproval = (journey: Journey, change: Partial<Journey>) => {
  const kind = openReview(journey)
  if (kind === null || kind === "CHECK_UNAVAILABLE") throw new Error("nothing to decide")
  return decide({ ...journey, ...change }, messageOf({ journey, kind, taken: null }, "APPROVE", "f"), now)
}

describe("a review", () => {
  it("is there whenever the journey says that the team or a reviewer is awaited, and only on running journeys", () => {
    expect(new Set(inReview.map(openReview))).toEqual(new Set(Object.keys(beginningOf)))
    for (const journey of reachable) {
      const shown = nextAction(journey)
      if (shown === "DEALER_TO_REVIEW" || shown === "IDENTITY_UNDER_REVIEW") expect(openReview(journey)).not.toBeNull()
    }
    expect(inReview.every(({ status }) => status === "ACTIVE")).toBe(true)
  })

  it("is decided by a message that its journey takes, and that ends the review", () => {
    for (const journey of inReview) {
      const kind = openReview(journey)
      if (kind === null || kind === "CHECK_UNAVAILABLE") continue
      for (const verdict of ["APPROVE", "REJECT"] as const) {
        const outcome = decide(journey, messageOf({ journey, kind, taken: null }, verdict, "f"), now)
        if (outcome._tag !== "Step") throw new Error(`${kind} ${verdict}: ${outcome._tag}`)
        expect(openReview(outcome.journey)).not.toBe(kind)
      }
    }
  })

  it("of an identity is about the attempt that was looked at, and too late once the check has moved on", () => {
    for (const journey of inReview) {
      const { identity } = journey
      if (identity?.status !== "UNDER_REVIEW") continue
      expect(afterApproval(journey, {})._tag).toBe("Step")
      expect(afterApproval(journey, { identity: { ...identity, attempts: identity.attempts + 1 } })._tag).toBe(
        "Ignored"
      )
      expect(afterApproval(journey, { identity: { ...identity, status: "FAILED" } })._tag).toBe("Ignored")
    }
  })

  it("decided again is the same message, whatever the customer has tried since", () => {
    const journey = inReview.find(({ identity }) => identity?.status === "UNDER_REVIEW")
    if (journey?.identity?.status !== "UNDER_REVIEW") throw new Error("no such state")
    const first = messageOf({ journey, kind: "IDENTITY", taken: null }, "REJECT", "f")
    const later = { ...journey, identity: { ...journey.identity, attempts: 7 } }
    expect(messageOf({ journey: later, kind: "IDENTITY", taken: first }, "REJECT", "f")).toEqual(first)
  })
})

/**
 * What waits for the team on a journey, and what their decision tells it. A journey has one review at most: it cannot
 * have a video while its identity is open. Pure; who may decide, and when, is for the endpoints.
 */
import type { EventType } from "../../schema/journey/events.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import type { ReviewKind, Verdict } from "../../schema/review/Review.ts"
import type { Journey } from "../journey/rules/Journey.ts"

/** The event that begins a review; the review bears its id. */
export const beginningOf = {
  IDENTITY: "identity.under_review",
  VIDEO: "delivery.under_review",
  CHECK_UNAVAILABLE: "identity.unavailable"
} as const satisfies Readonly<Record<ReviewKind, EventType>>

export const kindOfBeginning: Readonly<Record<(typeof beginningOf)[ReviewKind], ReviewKind>> = {
  "identity.under_review": "IDENTITY",
  "delivery.under_review": "VIDEO",
  "identity.unavailable": "CHECK_UNAVAILABLE"
}

export const attemptsOf = (journey: Journey, kind: ReviewKind): number => {
  if (kind === "VIDEO") return journey.handover?.mismatches ?? 0
  return journey.identity === null || journey.identity.status === "NOT_ASKED" ? 0 : journey.identity.attempts
}

/**
 * The decision as a message. It is tied to what was looked at: a later try of the customer is not judged by it. JourneyRequest
 * again, it is about what it was about before.
 */
export const messageOf = (
  { journey, kind, told }: { readonly journey: Journey; readonly kind: Decided; readonly told: JourneyMessage | null },
  verdict: Verdict,
  fingerprint: string
): JourneyMessage => {
  if (kind === "VIDEO") {
    return { _tag: verdict === "APPROVE" ? "TeamApprovesVideo" : "TeamRejectsVideo", fingerprint }
  }
  const before = told !== null && "reviewed" in told ? told.reviewed : undefined
  return {
    _tag: verdict === "APPROVE" ? "IdentityVerified" : "IdentityFailed",
    reviewed: before ?? attemptsOf(journey, kind),
    fingerprint
  }
}

/** What is decided at all. */
type Decided = Exclude<ReviewKind, "CHECK_UNAVAILABLE">

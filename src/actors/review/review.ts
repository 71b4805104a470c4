/**
 * What a review of a journey begins with, and the message that the team's decision becomes. A journey has at most one open
 * review: there is no video while the customer's identity is open. Who may decide, and when, is decided by the endpoints.
 * Pure.
 */
import type { EventType } from "../../schema/journey/events.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import type { ReviewVerdict } from "../../schema/review/Review.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import { attemptsOf, verdictOn, type DecidedKind } from "../journey/rules/reviewVerdict.ts"
import { ReviewKind } from "../../schema/journey/ReviewKind.ts"

/** The event that begins a review. The review has the id of this event. */
export const beginningOf = {
  IDENTITY: "identity.under_review",
  VIDEO: "delivery.under_review",
  CHECK_UNAVAILABLE: "identity.unavailable"
} as const satisfies Readonly<Record<ReviewKind, EventType>>

/** The same, read the other way. */
export const kindOfBeginning = Object.fromEntries(
  ReviewKind.literals.map((kind) => [beginningOf[kind], kind])
) as Readonly<Record<(typeof beginningOf)[ReviewKind], ReviewKind>>

/** Why the team is asked, while the review waits. */
export const reasonsOfReview = ({ handover, identity }: Journey, kind: ReviewKind): ReadonlyArray<string> => {
  switch (kind) {
    case "IDENTITY":
      return identity?.status === "UNDER_REVIEW" ? (identity.reasons ?? []) : []
    case "VIDEO":
      return handover?.status === "UNDER_REVIEW" ? (handover.reasons ?? []) : []
    case "CHECK_UNAVAILABLE":
      return identity?.status === "UNAVAILABLE" ? [identity.reason] : []
  }
}

/**
 * The decision as a message. The message names the attempt that the reviewer looked at, so it does not judge a later attempt
 * of the customer. A decision that is sent again names the same attempt as before: `taken` is the message of the first time.
 */
export const messageOf = (
  {
    journey,
    kind,
    taken
  }: { readonly journey: Journey; readonly kind: DecidedKind; readonly taken: JourneyMessage | null },
  verdict: ReviewVerdict,
  fingerprint: string
): JourneyMessage => {
  const before = taken !== null && "reviewed" in taken ? taken.reviewed : undefined
  return verdictOn(kind, verdict, { reviewed: before ?? attemptsOf(journey, kind), fingerprint })
}

/** The decision that a message of the team is. */
export const decisionIn = ({ _tag }: JourneyMessage): ReviewVerdict | "RESEND" => {
  if (_tag === "TeamResendsCheck") return "RESEND"
  return _tag === "TeamApprovesVideo" || _tag === "IdentityVerified" ? "APPROVE" : "REJECT"
}

/**
 * A reviewer's verdict as a message of the journey. It names the attempt that the reviewer looked at, so it does not judge a
 * later attempt of the customer. Which review waits is said by `state/waiting.ts`. Pure.
 */
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { ReviewKind } from "../../../schema/journey/ReviewKind.ts"
import type { ReviewVerdict } from "../../../schema/review/Review.ts"
import type { Journey } from "./state/Journey.ts"

/** A check that is unavailable is not decided. */
export type DecidedKind = Exclude<ReviewKind, "CHECK_UNAVAILABLE">

/** How often the customer has tried. */
export const attemptsOf = (journey: Journey, kind: ReviewKind): number => {
  if (kind === "VIDEO") return journey.handover?.mismatches ?? 0
  return journey.identity === null || journey.identity.status === "NOT_ASKED" ? 0 : journey.identity.attempts
}

export const verdictOn = (
  kind: DecidedKind,
  verdict: ReviewVerdict,
  { fingerprint, reviewed }: { readonly reviewed: number; readonly fingerprint?: string }
): JourneyMessage => {
  const request = fingerprint === undefined ? {} : { fingerprint }
  return kind === "VIDEO"
    ? { _tag: verdict === "APPROVE" ? "TeamApprovesVideo" : "TeamRejectsVideo", ...request }
    : { _tag: verdict === "APPROVE" ? "IdentityVerified" : "IdentityFailed", reviewed, ...request }
}

/**
 * What a verification of the identity rests on, and whether that is enough for the company (D8). The message brings what the
 * check reached and what the company asked for when the check was made. Pure.
 */
import { isBelow, type Assurance } from "../../../../schema/journey/statuses.ts"
import type { Identity, Journey } from "./Journey.ts"
import type { Cause } from "./cause.ts"

/** The check reached less than the company asks for: a person decides. A reviewer's verdict is such a decision. */
export const isAssuranceTooLow = (_journey: Journey, cause: Cause): boolean =>
  cause._tag === "IdentityVerified" &&
  cause.reviewed === undefined &&
  cause.least !== undefined &&
  isBelow(cause.assurance ?? "NONE", cause.least)

export const isAssuranceEnough = (journey: Journey, cause: Cause): boolean => !isAssuranceTooLow(journey, cause)

/** The member of the state that keeps what the check has reached, for the time of a review. */
export const assuranceReached = (cause: Cause): { readonly assurance?: Assurance } =>
  (cause._tag === "IdentityVerified" || cause._tag === "IdentityUnderReview") && cause.assurance !== undefined
    ? { assurance: cause.assurance }
    : {}

/** The same for a verified identity. A reviewer's verdict keeps what the check had reached before. */
export const assuranceKept = (before: Identity | null, cause: Cause): { readonly assurance?: Assurance } => {
  const reached = assuranceReached(cause)
  if (reached.assurance !== undefined) return reached
  return before?.status === "UNDER_REVIEW" && before.assurance !== undefined ? { assurance: before.assurance } : {}
}

/** What callers read: NONE until the identity is verified, and when a person alone decided. */
export const assuranceOf = (identity: Identity | null): Assurance =>
  identity?.status === "VERIFIED" ? (identity.assurance ?? "NONE") : "NONE"

/**
 * The identity region: its guards, and what each of its statuses holds. The rows that use them are in
 * `table/identityRows.ts`.
 */
import type { CheckPossible } from "../../../schema/journey/messages.ts"
import type { UnavailableReason } from "../../../schema/journey/statuses.ts"
import type { IdentityState } from "../../../schema/journey/steps.ts"
import type { Identity, Journey } from "./Journey.ts"
import type { Cause } from "./table/row.ts"

/** Whether a check can be started, as far as the message says. */
const checkOf = (cause: Cause): CheckPossible | null => {
  switch (cause._tag) {
    case "Start":
    case "PanelAccepted":
    case "PanelDecision":
    case "TeamResendsCheck":
      return cause.check
    default:
      return null
  }
}

export const canBeStarted = (_journey: Journey, cause: Cause): boolean => checkOf(cause)?.possible === true

export const cannotBeStarted = (journey: Journey, cause: Cause): boolean => !canBeStarted(journey, cause)

export const isCheckUnavailable = ({ identity }: Journey): boolean => identity?.status === "UNAVAILABLE"

/** A result names the ask that it is about; the result of an earlier ask changes nothing (D5). */
export const isOfEarlierCheck = ({ identity }: Journey, cause: Cause): boolean => {
  switch (cause._tag) {
    case "IdentityVerified":
    case "IdentityUnderReview":
    case "IdentityFailed":
      return (
        cause.check !== undefined &&
        identity !== null &&
        identity.status !== "NOT_ASKED" &&
        (identity.check ?? 0) !== cause.check
      )
    default:
      return false
  }
}

/** A reviewer's verdict is about the attempt that they looked at; it is too late once that is not under review. */
export const isReviewOver = ({ identity }: Journey, cause: Cause): boolean => {
  switch (cause._tag) {
    case "IdentityVerified":
    case "IdentityFailed":
      return (
        cause.reviewed !== undefined && (identity?.status !== "UNDER_REVIEW" || identity.attempts !== cause.reviewed)
      )
    default:
      return false
  }
}

/** Why no check can be started. */
export const unavailableReasonOf = (cause: Cause): UnavailableReason => {
  if (cause._tag === "IdentityUnavailable") return cause.reason
  const check = checkOf(cause)
  return check === null || check.possible ? "PROVIDER_ERROR" : check.reason
}

/** What the asks and attempts so far have left. */
const askedBefore = (identity: Identity | null) =>
  identity === null || identity.status === "NOT_ASKED"
    ? { requestedAt: null, attempts: 0 }
    : { requestedAt: identity.requestedAt, attempts: identity.attempts, ...numberOf(identity) }

/** The number of the ask, where there is one. */
const numberOf = ({ check }: { readonly check?: number }) => (check === undefined ? {} : { check })

/** What a result leaves as it is, and the attempt that it ends. */
const lastingOf = (identity: Identity | null, now: number) => ({
  requestedAt: askedBefore(identity).requestedAt ?? now,
  attempts: attemptsAfter(identity),
  ...(identity === null || identity.status === "NOT_ASKED" ? {} : numberOf(identity))
})

/** An attempt is the customer's; a reviewer's verdict on an attempt is not another one. */
const attemptsAfter = (identity: Identity | null): number => {
  const { attempts } = askedBefore(identity)
  return identity?.status === "UNDER_REVIEW" ? attempts : attempts + 1
}

/** The region as it is after it has come to a status. */
export const identityIn = (status: IdentityState, { identity }: Journey, cause: Cause, now: number): Identity => {
  switch (status) {
    case "NOT_ASKED":
      return { status }
    case "REQUESTED": {
      const { attempts, check: last = 0 } = askedBefore(identity)
      return { status, requestedAt: now, attempts, check: last + 1 }
    }
    case "UNAVAILABLE":
      return { status, ...askedBefore(identity), reason: unavailableReasonOf(cause) }
    case "UNDER_REVIEW":
    case "FAILED":
      return { ...lastingOf(identity, now), status }
    case "VERIFIED":
      return { ...lastingOf(identity, now), status, verifiedAt: now }
  }
}

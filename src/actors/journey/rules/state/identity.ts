/**
 * The identity region: its guards, and what each of its statuses holds. The rows that use them are in
 * `table/identityRows.ts`.
 */
import type { CheckPossible } from "../../../../schema/journey/messages.ts"
import type { UnavailableReason } from "../../../../schema/journey/statuses.ts"
import type { IdentityState } from "../../../../schema/journey/steps.ts"
import { assuranceKept, assuranceReached } from "./assurance.ts"
import type { Identity, Journey } from "./Journey.ts"
import { keptReasons } from "./reasons.ts"
import type { Cause } from "./cause.ts"

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

/**
 * The customer can be asked in this very decision: the service makes the check itself, or the journey is a test journey,
 * about which nobody outside is asked anything (D2).
 */
export const isAskedAtOnce = ({ livemode }: Journey, cause: Cause): boolean => {
  const check = checkOf(cause)
  return check?.possible === true && (check.by === "BUILT_IN" || !livemode)
}

/** An outside provider must start the check before the customer is asked. So does whoever an old message does not name. */
export const isStartedFirst = (journey: Journey, cause: Cause): boolean =>
  checkOf(cause)?.possible === true && !isAskedAtOnce(journey, cause)

export const cannotBeStarted = (_journey: Journey, cause: Cause): boolean => checkOf(cause)?.possible !== true

/** The provider's page is still asked for: a callback of the provider was faster than the answer. */
export const isPageAwaited = ({ owed }: Journey): boolean => owed.some(({ kind }) => kind === "START_IDENTITY_CHECK")

export const isCheckUnavailable = ({ identity }: Journey): boolean => identity?.status === "UNAVAILABLE"

/** What comes from a check names the ask that it is about; what comes from an earlier ask changes nothing (D5). */
export const isOfEarlierCheck = ({ identity }: Journey, cause: Cause): boolean => {
  switch (cause._tag) {
    case "IdentityVerified":
    case "IdentityUnderReview":
    case "IdentityFailed":
    case "IdentityUnavailable":
    case "IdentityCheckStarted":
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

interface AskedBefore {
  readonly requestedAt: number | null
  readonly attempts: number
  readonly check?: number
}

/** What the asks and attempts so far have left. */
const askedBefore = (identity: Identity | null): AskedBefore =>
  identity === null || identity.status === "NOT_ASKED"
    ? { requestedAt: null, attempts: 0 }
    : { requestedAt: identity.requestedAt, attempts: identity.attempts, ...numberOf(identity) }

/** The number of the ask, where there is one. */
const numberOf = ({ check }: { readonly check?: number }) => (check === undefined ? {} : { check })

const nextCheck = (identity: Identity | null): number => (askedBefore(identity).check ?? 0) + 1

/** What a result leaves as it is, and the attempt that it ends. */
const lastingOf = (identity: Identity | null, cause: Cause, now: number) => ({
  requestedAt: askedBefore(identity).requestedAt ?? now,
  attempts: attemptsAfter(identity, cause),
  ...(identity === null || identity.status === "NOT_ASKED" ? {} : numberOf(identity))
})

/** An attempt is the customer's; a reviewer's verdict on an attempt is not another one, and neither is an answer about a consent. */
const attemptsAfter = (identity: Identity | null, { _tag }: Cause): number => {
  const { attempts } = askedBefore(identity)
  const isAnswer = _tag === "ConsentRefused" || _tag === "ConsentWithdrawn"
  return identity?.status === "UNDER_REVIEW" || isAnswer ? attempts : attempts + 1
}

/** The region as it is after it has come to a status. */
export const identityIn = (status: IdentityState, { identity }: Journey, cause: Cause, now: number): Identity => {
  switch (status) {
    case "NOT_ASKED":
      return { status }
    case "BEING_STARTED":
      return { status, ...askedBefore(identity), check: nextCheck(identity) }
    case "REQUESTED": {
      const { attempts } = askedBefore(identity)
      // The ask got its number when the provider was asked to start the check.
      const check = identity?.status === "BEING_STARTED" ? (identity.check ?? 0) : nextCheck(identity)
      return { status, requestedAt: now, attempts, check }
    }
    case "UNAVAILABLE":
      return { status, ...askedBefore(identity), reason: unavailableReasonOf(cause) }
    case "UNDER_REVIEW":
      return { ...lastingOf(identity, cause, now), status, ...keptReasons(cause), ...assuranceReached(cause) }
    case "FAILED":
      return { ...lastingOf(identity, cause, now), status, ...keptReasons(cause) }
    case "VERIFIED":
      return { ...lastingOf(identity, cause, now), status, verifiedAt: now, ...assuranceKept(identity, cause) }
  }
}

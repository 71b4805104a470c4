/**
 * The identity region. On a cash sale the same moves happen, and `projection.ts` shows them in delivery.status.
 *
 *     NOT_ASKED, UNAVAILABLE ──ask──▶ REQUESTED, or UNAVAILABLE when no check can be started
 *     REQUESTED, FAILED ──under review──▶ UNDER_REVIEW
 *     REQUESTED, FAILED, UNDER_REVIEW ──failed──▶ FAILED (the customer tries again)
 *     REQUESTED, FAILED, UNDER_REVIEW ──verified──▶ VERIFIED
 */
import type { CheckPossible } from "../../../schema/journey/messages.ts"
import type { UnavailableReason } from "../../../schema/journey/statuses.ts"
import { askForHandoverIfReady, firstStep } from "./handover.ts"
import type { Identity, Journey } from "./Journey.ts"
import { andThen, ignored, owe, oweMail, settle, step, type Outcome, type Step } from "./step.ts"

type OpenCheck = Extract<Identity, { status: "REQUESTED" | "FAILED" | "UNDER_REVIEW" }>

/** A check the customer or a reviewer is still at. */
export const isCheckOpen = (identity: Identity | null): identity is OpenCheck =>
  identity?.status === "REQUESTED" || identity?.status === "FAILED" || identity?.status === "UNDER_REVIEW"

const askedBefore = (identity: Identity | null) =>
  identity === null || identity.status === "NOT_ASKED"
    ? { requestedAt: null, attempts: 0 }
    : { requestedAt: identity.requestedAt, attempts: identity.attempts, ...numberOf(identity) }

/** The number of the ask, where there is one. */
const numberOf = ({ check }: { readonly check?: number }) => (check === undefined ? {} : { check })

/** A result names the ask it is about; one of an earlier ask changes nothing (D5). */
export const ofThisCheck = ({ identity }: Journey, check: number | undefined): Outcome | null =>
  check === undefined || identity === null || identity.status === "NOT_ASKED" || (identity.check ?? 0) === check
    ? null
    : ignored("the result is about an earlier check")

/** A reviewer's verdict is about the attempt they looked at, and comes too late once that is no longer under review. */
export const ofThisReview = ({ identity }: Journey, reviewed: number | undefined): Outcome | null =>
  reviewed === undefined || (identity?.status === "UNDER_REVIEW" && identity.attempts === reviewed)
    ? null
    : ignored("the review is over")

/** Asks the customer to verify, or says that no check can be started (D1, D2). Each ask emits exactly one event. */
export const askForIdentity = (before: Step, check: CheckPossible, now: number): Step => {
  if (!check.possible) return unavailable(before, check.reason)
  const { attempts, check: last = 0 } = askedBefore(before.journey.identity)
  const requested = oweMail(
    andThen(
      before,
      { identity: { status: "REQUESTED", requestedAt: now, attempts, check: last + 1 } },
      { type: "identity.requested" }
    ),
    "VERIFY_IDENTITY"
  )
  return before.journey.livemode ? owe(requested, { kind: "START_IDENTITY_CHECK" }) : requested
}

const unavailable = (before: Step, reason: UnavailableReason): Step =>
  oweMail(
    andThen(
      settle(before, "START_IDENTITY_CHECK"),
      { identity: { status: "UNAVAILABLE", ...askedBefore(before.journey.identity), reason } },
      { type: "identity.unavailable", reason }
    ),
    "CHECK_UNAVAILABLE"
  )

/** The check that was asked for turned out impossible to start, after the service's own retries (D2). */
export const identityUnavailable = (journey: Journey, reason: UnavailableReason): Outcome =>
  journey.identity?.status === "REQUESTED" || journey.identity?.status === "FAILED"
    ? unavailable(step(journey), reason)
    : ignored("no identity check is waiting to be started")

export const teamResendsCheck = (journey: Journey, check: CheckPossible, now: number): Outcome =>
  journey.identity?.status === "UNAVAILABLE"
    ? askForIdentity(step(journey), check, now)
    : ignored("the identity check is not unavailable")

export const identityVerified = (journey: Journey, now: number): Outcome => {
  if (!isCheckOpen(journey.identity)) return ignored("no identity check is open")
  const verified = andThen(
    settle(step(journey), "START_IDENTITY_CHECK"),
    { identity: { ...lastingOf(journey.identity), status: "VERIFIED", verifiedAt: now } },
    { type: "identity.verified" }
  )
  return journey.shape === "CASH_SALE" ? firstStep(verified) : askForHandoverIfReady(verified)
}

export const identityUnderReview = (journey: Journey): Outcome => {
  const { identity } = journey
  if (identity?.status !== "REQUESTED" && identity?.status !== "FAILED")
    return ignored("no identity check is with the customer")
  return oweMail(
    andThen(
      settle(step(journey), "START_IDENTITY_CHECK"),
      { identity: { ...lastingOf(identity), status: "UNDER_REVIEW" } },
      { type: "identity.under_review" }
    ),
    "REVIEW_NEEDED"
  )
}

/** A failed check lets the customer try again (§3, rule 2): a new mail, no new identity.requested. */
export const identityFailed = (journey: Journey): Outcome => {
  if (!isCheckOpen(journey.identity)) return ignored("no identity check is open")
  return oweMail(
    andThen(
      settle(step(journey), "START_IDENTITY_CHECK"),
      { identity: { ...lastingOf(journey.identity), status: "FAILED" } },
      { type: "identity.failed" }
    ),
    "VERIFY_IDENTITY",
    true
  )
}

/** What a result leaves as it is, and the attempt it was. */
const lastingOf = (identity: OpenCheck) => ({
  requestedAt: identity.requestedAt,
  attempts: attemptsAfter(identity),
  ...numberOf(identity)
})

/** An attempt is the customer's; a reviewer's verdict on it is not another one. */
const attemptsAfter = (identity: OpenCheck): number =>
  identity.status === "UNDER_REVIEW" ? identity.attempts : identity.attempts + 1

/**
 * Whether a mail that has waited is out of date (decision M4, invariant 12). A mail that asks for something is out of date
 * as soon as the journey does not wait for just that. A mail that tells news is out of date when the journey has ended
 * without a handover. Mail about endpoints, and the note about a mail that did not arrive, are never out of date.
 */
import { isCustomerStep, type CustomerStep } from "../../../schema/journey/steps.ts"
import type { JourneyMailKind } from "../../../schema/mail/mailKinds.ts"
import type { Journey } from "../../journey/rules/state/Journey.ts"
import { openReview, stepAskedOf } from "../../journey/rules/state/waiting.ts"

export const isStale = (kind: JourneyMailKind, journey: Journey): boolean =>
  isCustomerStep(kind) ? stepAskedOf(journey) !== kind : staleWhen[kind](journey)

/** No mail tells a customer of a cancellation or an expiry. A declined application is the exception (decision M1). */
const hasFallenThrough = ({ finance, status }: Journey): boolean =>
  (status === "CANCELLED" || status === "EXPIRED") && finance?.status !== "DECLINED"

const never = () => false

const staleWhen: Readonly<Record<Exclude<JourneyMailKind, CustomerStep>, (journey: Journey) => boolean>> = {
  WELCOME: hasFallenThrough,
  FINANCE_APPROVED: hasFallenThrough,
  FINANCE_UPDATED: hasFallenThrough,
  HANDOVER_COMPLETE: never,
  SUBMISSION_FAILED: never,
  REVIEW_NEEDED: (journey) => openReview(journey) !== "IDENTITY" && openReview(journey) !== "VIDEO",
  CHECK_UNAVAILABLE: (journey) => openReview(journey) !== "CHECK_UNAVAILABLE"
}

/**
 * Whether a mail that waited still says what is so (decision M4, invariant 12). A mail that asks for something stands
 * while the journey waits for just that; one that tells news stands unless the journey ended without a handover.
 */
import type { JourneyMailKind } from "../../schema/mail/mailKinds.ts"
import { isCustomerStep } from "../../schema/journey/steps.ts"
import { openReview, stepAskedOf } from "../journey/rules/waiting.ts"
import type { Journey } from "../journey/rules/Journey.ts"

export const stillStands = (kind: JourneyMailKind, journey: Journey): boolean => {
  if (isCustomerStep(kind)) return stepAskedOf(journey) === kind
  switch (kind) {
    case "WELCOME":
    case "FINANCE_APPROVED":
    case "FINANCE_UPDATED":
      return !hasFallenThrough(journey)
    case "HANDOVER_COMPLETE":
    case "SUBMISSION_FAILED":
      return true
    case "REVIEW_NEEDED":
      return openReview(journey) === "IDENTITY" || openReview(journey) === "VIDEO"
    case "CHECK_UNAVAILABLE":
      return openReview(journey) === "CHECK_UNAVAILABLE"
  }
}

/** A customer is not mailed about a cancellation or an expiry; about a declined application they are (decision M1). */
const hasFallenThrough = ({ finance, status }: Journey): boolean =>
  (status === "CANCELLED" || status === "EXPIRED") && finance?.status !== "DECLINED"

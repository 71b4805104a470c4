/**
 * Whether a mail that waited still says what is so (decision M4, invariant 12). A mail that asks for something stands
 * while the journey waits for just that; one that tells news stands unless the journey ended without a handover.
 */
import type { JourneyMailKind } from "../../schema/mail/mailKinds.ts"
import { stepAskedOf } from "../customer/customerStep.ts"
import type { Journey } from "../journey/rules/Journey.ts"

export const stillStands = (kind: JourneyMailKind, journey: Journey): boolean => {
  switch (kind) {
    case "VERIFY_IDENTITY":
    case "CONFIRM_ADDRESS":
    case "RECORD_VIDEO":
      return stepAskedOf(journey) === kind
    case "WELCOME":
    case "FINANCE_APPROVED":
    case "FINANCE_UPDATED":
      return !hasFallenThrough(journey)
    case "HANDOVER_COMPLETE":
    case "SUBMISSION_FAILED":
      return true
    case "REVIEW_NEEDED":
      return (
        journey.status === "ACTIVE" &&
        (journey.identity?.status === "UNDER_REVIEW" || journey.handover?.status === "UNDER_REVIEW")
      )
    case "CHECK_UNAVAILABLE":
      return journey.status === "ACTIVE" && journey.identity?.status === "UNAVAILABLE"
  }
}

/** A customer is not mailed about a cancellation or an expiry; about a declined application they are (decision M1). */
const hasFallenThrough = ({ finance, status }: Journey): boolean =>
  (status === "CANCELLED" || status === "EXPIRED") && finance?.status !== "DECLINED"

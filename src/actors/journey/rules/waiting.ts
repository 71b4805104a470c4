/**
 * What a journey waits for (§2.2), one row a line, the first that holds wins (decision N2: what someone can do now
 * comes before what is merely awaited, the caller's own duty first). Null when nothing is waited for (N1).
 */
import type { NextAction } from "../../../schema/journey/statuses.ts"
import { isFinancePending } from "./finance.ts"
import { isHandoverReady } from "./handover.ts"
import type { Journey } from "./Journey.ts"

export const nextAction = (journey: Journey): NextAction | null => {
  if (journey.status !== "ACTIVE") return null
  if (journey.shape === "FINANCE_ALREADY_SUBMITTED" && isFinancePending(journey)) return "SEND_FINANCE_DECISION"
  switch (journey.handover?.status) {
    case undefined:
      return beforeHandover(journey)
    case "AWAITING_IDENTITY":
      return journey.identity?.status === "UNDER_REVIEW" || journey.identity?.status === "UNAVAILABLE"
        ? "DEALER_TO_REVIEW"
        : "CUSTOMER_TO_VERIFY_IDENTITY"
    case "AWAITING_LOCATION":
      return "CUSTOMER_TO_CONFIRM_ADDRESS"
    case "AWAITING_VIDEO":
      return "CUSTOMER_TO_RECORD_VIDEO"
    case "UNDER_REVIEW":
      return "DEALER_TO_REVIEW"
    case "VIDEO_UPLOADED":
    case "COMPLETED":
    case "CANCELLED":
    case "EXPIRED":
      return null
  }
}

const beforeHandover = (journey: Journey): NextAction | null => {
  switch (journey.identity?.status) {
    case "UNAVAILABLE":
      return "DEALER_TO_REVIEW"
    case "REQUESTED":
    case "FAILED":
      return "CUSTOMER_TO_VERIFY_IDENTITY"
    case "UNDER_REVIEW":
      return "IDENTITY_UNDER_REVIEW"
    case "NOT_ASKED":
    case "VERIFIED":
    case undefined:
      if (isFinancePending(journey)) return "AWAITING_LENDER_DECISION"
      return isHandoverReady(journey) ? "HANDOVER_BEING_CREATED" : null
  }
}

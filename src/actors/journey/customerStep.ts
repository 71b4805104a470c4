/** The step at which the journey waits for its customer, if it does: what links open, and what mail may ask for. */
import type { LinkStep } from "../../schema/mail.ts"
import type { Journey } from "./Journey.ts"

export const customerStep = (journey: Journey): LinkStep | null => {
  if (journey.status !== "ACTIVE") return null
  switch (journey.handover?.status) {
    case undefined:
    case "AWAITING_IDENTITY":
      return journey.identity?.status === "REQUESTED" || journey.identity?.status === "FAILED"
        ? "VERIFY_IDENTITY"
        : null
    case "AWAITING_LOCATION":
      return "CONFIRM_ADDRESS"
    case "AWAITING_VIDEO":
      return "RECORD_VIDEO"
    case "VIDEO_UPLOADED":
    case "UNDER_REVIEW":
    case "COMPLETED":
    case "CANCELLED":
    case "EXPIRED":
      return null
  }
}

/** The words of the list of journeys for people: each status, type, mode and each thing that a journey waits on. */
import type { WaitingOn } from "../../schema/company/ListedJourney.ts"
import type { JourneyStatus, JourneyType } from "../../schema/journey/statuses.ts"
import type { Mode } from "../../schema/Mode.ts"

const statuses: Readonly<Record<JourneyStatus, string>> = {
  ACTIVE: "Active",
  COMPLETED: "Complete",
  CANCELLED: "Cancelled",
  EXPIRED: "Expired"
}

const types: Readonly<Record<JourneyType, string>> = {
  FINANCE_IDENTITY_DELIVERY: "Finance, identity and handover",
  IDENTITY_DELIVERY: "Identity and handover",
  DELIVERY: "Handover"
}

const modes: Readonly<Record<Mode, string>> = { LIVE: "Live", TEST: "Test" }

const waits: Readonly<Record<WaitingOn, string>> = {
  CUSTOMER_TO_VERIFY_IDENTITY: "The customer verifies their identity",
  CUSTOMER_TO_CONFIRM_ADDRESS: "The customer confirms the address",
  CUSTOMER_TO_RECORD_VIDEO: "The customer records the handover video",
  DEALER_TO_REVIEW: "Your team's review",
  IDENTITY_UNDER_REVIEW: "A review of the identity check",
  SEND_FINANCE_DECISION: "Your system sends the finance decision",
  AWAITING_LENDER_DECISION: "The lender decides",
  HANDOVER_BEING_CREATED: "The service sets the handover up",
  SERVICE: "The service is at work"
}

export const listedWords = { statuses, types, modes, waits } as const

/** What the pages of a dealer's handovers call things: where, how far, and what is waited for. */
import type { DeliveryStatus } from "../../../schema/journey/statuses.ts"
import { byNextAction, STEPS } from "../../../schema/journey/steps.ts"
import type { DealerHandoverEntry, HandoverWait } from "../../../schema/review/DealerHandover.ts"

export const handoversPath = "/console/handovers"

export const handoverTypes = { IN_STORE: "In store", HOME_DELIVERY: "To the customer's home" } as const

export const handoverStatuses: Readonly<Record<Exclude<DeliveryStatus, `IDENTITY_${string}`>, string>> = {
  AWAITING_IDENTITY: "Not begun",
  AWAITING_LOCATION: "Address not confirmed",
  AWAITING_VIDEO: "Ready for the handover video",
  VIDEO_UPLOADED: "Video sent",
  UNDER_REVIEW: "Video under review",
  COMPLETED: "Complete",
  CANCELLED: "Cancelled",
  EXPIRED: "Expired"
}

const waits: Readonly<Record<HandoverWait, string>> = {
  ...byNextAction((step) => `The customer ${STEPS[step].team.does}`),
  VIDEO_CHECK: "The video is being checked",
  BROKER_TO_REVIEW: "The broker's team looks at the video"
}

export const waitOf = ({ waitingOn }: Pick<DealerHandoverEntry, "waitingOn">): string =>
  waitingOn === null ? "Nothing" : waits[waitingOn]

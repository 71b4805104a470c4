/**
 * The handover region, the same for every type. For a home delivery the customer's first step is to confirm the
 * address; in store it is to record the video (H6). A cash sale's handover exists from the start and waits for the identity check (H1).
 */
import { HandoverStatus } from "../../../../schema/journey/statuses.ts"
import { handoverAwaitsCustomer } from "../../../../schema/journey/steps.ts"
import { isHandoverReady } from "../state/gates.ts"
import { isNotAgreed } from "../state/consent.ts"
import {
  countMismatch,
  forgetMismatches,
  isFinanceSale,
  isHomeDelivery,
  isInStore,
  isLastMismatch,
  isOpen,
  mayTryAgain
} from "../state/handover.ts"
import type { HandoverRow } from "./row.ts"

const open = HandoverStatus.literals.filter(isOpen)

export const handoverRows: ReadonlyArray<HandoverRow> = [
  {
    region: "handover",
    from: ["NONE"],
    on: ["begin CASH_SALE"],
    to: "AWAITING_IDENTITY",
    events: ["delivery.created"],
    after: ["ask for identity"]
  },
  {
    region: "handover",
    from: ["NONE"],
    on: ["HandoverCreated", "begin FINANCE_SALE"],
    when: [isHomeDelivery],
    to: "AWAITING_LOCATION",
    events: ["delivery.created"],
    mails: ["CONFIRM_ADDRESS"],
    effectsOver: ["CREATE_HANDOVER"]
  },
  {
    region: "handover",
    from: ["NONE"],
    on: ["HandoverCreated", "begin FINANCE_SALE"],
    when: [isInStore],
    to: "AWAITING_VIDEO",
    // A subscriber to only the second event must not miss it (H2).
    events: ["delivery.created", "delivery.awaiting_video"],
    mails: ["RECORD_VIDEO"],
    effectsOver: ["CREATE_HANDOVER"]
  },
  // The handover is a durable step of its own, so that HANDOVER_BEING_CREATED can be seen (H1).
  { region: "handover", from: ["NONE"], on: ["gate opened"], when: [isHandoverReady], effects: ["CREATE_HANDOVER"] },
  {
    region: "handover",
    from: ["AWAITING_IDENTITY"],
    on: ["gate opened"],
    when: [isHomeDelivery],
    to: "AWAITING_LOCATION",
    mails: ["CONFIRM_ADDRESS"]
  },
  {
    region: "handover",
    from: ["AWAITING_IDENTITY"],
    on: ["gate opened"],
    when: [isInStore],
    to: "AWAITING_VIDEO",
    events: ["delivery.awaiting_video"],
    mails: ["RECORD_VIDEO"]
  },
  {
    region: "handover",
    from: ["AWAITING_LOCATION"],
    on: ["LocationConfirmed"],
    to: "AWAITING_VIDEO",
    events: ["delivery.location_confirmed", "delivery.awaiting_video"],
    mails: ["RECORD_VIDEO"]
  },
  {
    region: "handover",
    from: ["AWAITING_VIDEO"],
    on: ["VideoUploaded"],
    to: "VIDEO_UPLOADED",
    events: ["delivery.video_uploaded"],
    effects: ["CHECK_VIDEO"]
  },
  {
    region: "handover",
    from: ["VIDEO_UPLOADED"],
    on: ["VideoMatched"],
    to: "COMPLETED",
    events: ["delivery.completed"],
    after: ["complete journey"]
  },
  {
    region: "handover",
    from: ["VIDEO_UPLOADED"],
    on: ["VideoUnclear"],
    to: "UNDER_REVIEW",
    events: ["delivery.under_review"],
    mails: ["REVIEW_NEEDED"],
    effectsOver: ["CHECK_VIDEO"]
  },
  {
    region: "handover",
    from: ["VIDEO_UPLOADED"],
    on: ["VideoNotMatched"],
    when: [mayTryAgain],
    to: "AWAITING_VIDEO",
    change: countMismatch,
    events: ["delivery.awaiting_video"],
    mails: ["RECORD_VIDEO"],
    again: true,
    effectsOver: ["CHECK_VIDEO"]
  },
  {
    region: "handover",
    from: ["VIDEO_UPLOADED"],
    on: ["VideoNotMatched"],
    when: [isLastMismatch],
    to: "UNDER_REVIEW",
    change: countMismatch,
    events: ["delivery.under_review"],
    mails: ["REVIEW_NEEDED"],
    effectsOver: ["CHECK_VIDEO"]
  },
  {
    region: "handover",
    from: ["UNDER_REVIEW"],
    on: ["TeamApprovesVideo"],
    to: "COMPLETED",
    events: ["delivery.completed"],
    after: ["complete journey"]
  },
  {
    region: "handover",
    from: ["UNDER_REVIEW"],
    on: ["TeamRejectsVideo"],
    to: "AWAITING_VIDEO",
    change: forgetMismatches,
    events: ["delivery.awaiting_video"],
    mails: ["RECORD_VIDEO"],
    again: true
  },
  {
    region: "handover",
    from: handoverAwaitsCustomer,
    on: ["ReplaceFace"],
    when: [isFinanceSale],
    change: forgetMismatches,
    events: ["journey.customer_face_replaced"]
  },
  { region: "handover", from: ["AWAITING_VIDEO"], on: ["ConsentGiven video"], when: [isNotAgreed] },
  {
    region: "handover",
    from: ["AWAITING_VIDEO"],
    on: ["ConsentRefused video"],
    when: [isNotAgreed],
    to: "UNDER_REVIEW",
    events: ["delivery.under_review"],
    mails: ["REVIEW_NEEDED"]
  },
  {
    region: "handover",
    from: ["AWAITING_VIDEO", "VIDEO_UPLOADED"],
    on: ["video to the team"],
    to: "UNDER_REVIEW",
    events: ["delivery.under_review"],
    mails: ["REVIEW_NEEDED"],
    effectsOver: ["CHECK_VIDEO"]
  },
  // The review goes on without the video, and for another reason.
  { region: "handover", from: ["UNDER_REVIEW"], on: ["video to the team"], to: "UNDER_REVIEW" },
  { region: "handover", from: open, on: ["cancel handover"], to: "CANCELLED", events: ["delivery.cancelled"] },
  { region: "handover", from: open, on: ["expire handover"], to: "EXPIRED", events: ["delivery.expired"] }
]

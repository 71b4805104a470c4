/**
 * Every message of the table: who sends it, when it is allowed, and what the sender hears when it is not. A message that
 * is allowed and fits no row hears `otherwise`. The codes for callers come in the order of V16, V19 and V20.
 */
import { isForTeamAlone, isWithoutConsent, mayWithdraw } from "../state/consent.ts"
import { hasNoFinance, isDecidedByPanel, isFinanceDecided, isWithPanel } from "../state/finance.ts"
import { isHandoverReady } from "../state/gates.ts"
import { hasHandover, isHandoverCutShort, isOfEarlierVideo, isPhotoUnused } from "../state/handover.ts"
import { isCheckUnavailable, isOfEarlierCheck, isReviewOver } from "../state/identity.ts"
import type { ListedMessage } from "../state/cause.ts"
import { ignored, rejected, type Ignored, type Rejected } from "../state/step.ts"
import { isCustomerAwaited } from "../state/waiting.ts"
import type { Guard } from "./row.ts"

/** An operation of the caller is refused with a code. */
export interface CallerRule {
  readonly sender: "caller"
  readonly refusedWhen?: ReadonlyArray<readonly [Guard, Rejected]>
  readonly otherwise: Rejected
}

/** Anybody else's message is ignored. On a journey that has ended it always is. */
export interface ServiceRule {
  readonly sender: "panel" | "identity check" | "video check" | "team" | "customer" | "service" | "timer"
  readonly refusedWhen?: ReadonlyArray<readonly [Guard, Ignored]>
  readonly allowedWhen?: Guard
  readonly otherwise: Ignored
}

const earlierCheck = [isOfEarlierCheck, ignored("the result is about an earlier check")] as const
const earlierVideo = [isOfEarlierVideo, ignored("the verdict is about an earlier video")] as const
const reviewOver = [isReviewOver, ignored("the review is over")] as const

const withoutConsent = [isWithoutConsent, ignored("the customer does not agree that faces are compared")] as const
const teamAlone = [isForTeamAlone, ignored("the customer did not agree, so the team alone decides")] as const

const noCheckOpen = ignored("no identity check is open")
const noCheckToStart = ignored("no identity check is waiting to be started")
const noVideoChecked = ignored("no video is being checked")
const noVideoReviewed = ignored("no video is under review")
const notToBeAccepted = ignored("the application is not waiting to be accepted")

/** Senders are those of the messages' section in the decisions; a team's verdict arrives as the check's own message. */
export const messageRules: Readonly<Record<ListedMessage["_tag"], CallerRule | ServiceRule>> = {
  Cancel: { sender: "caller", otherwise: rejected("JOURNEY_FINISHED", "The journey has already ended") },
  FinanceDecision: {
    sender: "caller",
    refusedWhen: [
      [isDecidedByPanel, rejected("FINANCE_DECISION_FROM_PANEL", "The finance panel decides on this journey")],
      [hasNoFinance, rejected("FINANCE_ALREADY_DECIDED", "This journey has no finance to decide")],
      [isFinanceDecided, rejected("FINANCE_ALREADY_DECIDED", "A finance decision is already recorded")]
    ],
    otherwise: rejected("JOURNEY_FINISHED", "The journey has already ended")
  },
  ReplaceFace: {
    sender: "caller",
    refusedWhen: [
      [isPhotoUnused, rejected("CUSTOMER_FACE_NOT_USED", "Only FINANCE_SALE deliveries use a customer photo")],
      [isHandoverCutShort, rejected("JOURNEY_FINISHED", "The journey has already ended")]
    ],
    otherwise: rejected(
      "CUSTOMER_FACE_LOCKED",
      "The photo cannot change while a video is being checked or after the handover"
    )
  },
  PanelAccepted: { sender: "panel", otherwise: notToBeAccepted },
  PanelDecision: {
    sender: "panel",
    allowedWhen: isWithPanel,
    otherwise: ignored("no decision of the panel is open")
  },
  PanelFailed: { sender: "panel", otherwise: notToBeAccepted },
  IdentityVerified: {
    sender: "identity check",
    refusedWhen: [earlierCheck, reviewOver, teamAlone, withoutConsent],
    otherwise: noCheckOpen
  },
  IdentityUnderReview: {
    sender: "identity check",
    refusedWhen: [earlierCheck, withoutConsent],
    otherwise: ignored("no identity check is with the customer")
  },
  IdentityFailed: {
    sender: "identity check",
    refusedWhen: [earlierCheck, reviewOver, teamAlone],
    otherwise: noCheckOpen
  },
  IdentityUnavailable: { sender: "identity check", refusedWhen: [earlierCheck], otherwise: noCheckToStart },
  IdentityCheckStarted: { sender: "identity check", refusedWhen: [earlierCheck], otherwise: noCheckToStart },
  HandoverCreated: {
    sender: "service",
    allowedWhen: isHandoverReady,
    otherwise: ignored("no handover is being created")
  },
  ConsentGiven: { sender: "customer", otherwise: ignored("the customer is not asked for this consent now") },
  ConsentRefused: { sender: "customer", otherwise: ignored("the customer is not asked for this consent now") },
  ConsentWithdrawn: {
    sender: "customer",
    allowedWhen: mayWithdraw,
    otherwise: ignored("there is no consent to withdraw")
  },
  LocationConfirmed: { sender: "customer", otherwise: ignored("no address is waiting to be confirmed") },
  VideoUploaded: { sender: "customer", otherwise: ignored("no video is awaited") },
  VideoMatched: { sender: "video check", refusedWhen: [earlierVideo], otherwise: noVideoChecked },
  VideoUnclear: { sender: "video check", refusedWhen: [earlierVideo], otherwise: noVideoChecked },
  VideoNotMatched: { sender: "video check", refusedWhen: [earlierVideo], otherwise: noVideoChecked },
  TeamResendsCheck: {
    sender: "team",
    allowedWhen: isCheckUnavailable,
    otherwise: ignored("the identity check is not unavailable")
  },
  TeamApprovesVideo: { sender: "team", otherwise: noVideoReviewed },
  TeamRejectsVideo: { sender: "team", otherwise: noVideoReviewed },
  TeamCancelsHandover: {
    sender: "team",
    allowedWhen: hasHandover,
    otherwise: ignored("there is no handover to cancel")
  },
  CustomerWindowPassed: {
    sender: "timer",
    allowedWhen: isCustomerAwaited,
    otherwise: ignored("the customer is not awaited")
  },
  // After 180 days a journey ends whatever it waits for (X3).
  SafetyCapPassed: { sender: "timer", otherwise: ignored("the journey has ended") }
}

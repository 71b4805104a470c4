/**
 * What the pages of a journey say for the codes of the operations: steps, states, who is awaited for what, messages, senders and
 * work. A code that is not here is shown as it is. What customers read is elsewhere (`schema/words`).
 */
import {
  buttonCalls,
  teamButtons,
  type AwaitedFrom,
  type AwaitedThing,
  type ButtonCall,
  type JourneyCall,
  type PendingWorkKind,
  type UndeliveredMailState
} from "../../../schema/journey/actions.ts"
import type { Assurance, CheckReason, Shape } from "../../../schema/journey/statuses.ts"
import type { MailState, TimelineEntryResource } from "../../../schema/review/timeline.ts"
import type { WebhookDeliveryStatus } from "../../../schema/WebhookDeliveryStatus.ts"
import { html, type Html } from "../../server/pages/html.ts"
import type { JourneyMessageTag } from "../../../schema/journey/messages.ts"
import type { OverviewStep, StepState } from "../../../schema/journey/overview.ts"
import { byNextAction, STEPS } from "../../../schema/journey/steps.ts"

/** A code or a name as words: `UNDER_REVIEW` is "under review", and `httpStatus` is "http status". */
export const codeInWords = (code: string): string =>
  code
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll("_", " ")

const values: Readonly<Record<string, string>> = {
  CASH_SALE: "handover of a cash sale",
  FINANCE_SALE: "handover of a finance sale",
  IDENTITY_DELIVERY: "identity check and handover",
  FINANCE_ALREADY_SUBMITTED: "finance that the seller submits, identity check and handover",
  FINANCE_SUBMIT_VIA_MIRA: "finance that the service submits, identity check and handover",
  NONE: "nothing but somebody's word",
  FACE_MATCH: "document and selfie show one face",
  DOCUMENT: "the document names the customer, and shows the same face",
  PROVIDER: "the word of an outside provider",
  REVIEW: "a review"
} satisfies Partial<Record<Shape | Assurance | "REVIEW", string>>

/** What a member of a message says: a code as words, with the code beside words that do not repeat it; anything else as it is. */
export const valueInWords = (value: string): Html => {
  if (!/^[A-Z][A-Z0-9_]+$/.test(value)) return html`<bdi>${value}</bdi>`
  const words = values[value]
  return words === undefined ? html`${codeInWords(value)}` : html`${words} <small><code>${value}</code></small>`
}

export const mailStates: Readonly<Record<MailState, string>> = {
  PENDING: "not sent yet",
  SENT: "sent",
  BOUNCED: "sent, and came back",
  COMPLAINED_OF: "sent, and reported as spam",
  GIVEN_UP: "given up",
  STRUCK_OFF: "not sent, because it was out of date by then"
}

/** What became of a mail that did not reach its reader; a time follows. */
export const undeliveredStates: Readonly<Record<UndeliveredMailState, string>> = {
  BOUNCED: "it came back from the mail server of the customer. It was sent",
  COMPLAINED_OF: "its recipient, or their mail program, reported it as spam. It was sent",
  GIVEN_UP: "no mail server took it. The service gave it up",
  TRIED_AGAIN: "the mail server has not taken it yet. It has waited since"
}

export const deliveryStates: Readonly<Record<WebhookDeliveryStatus, string>> = {
  PENDING: "not delivered yet",
  DELIVERED: "delivered",
  GIVEN_UP: "given up",
  PARKED: "kept while the endpoint is off"
}

export const stepName = (step: OverviewStep): string => {
  switch (step) {
    case "FINANCE":
      return "Finance"
    case "END":
      return "End"
    default:
      return STEPS[step].team.name
  }
}

export const stateNames: Readonly<Record<StepState, string>> = {
  DONE: "Done",
  NOW: "Now",
  WAITING: "To come",
  FAILED: "Failed",
  NOT_REACHED: "Not done",
  NOT_NEEDED: "Not needed"
}

export const awaitedThings: Readonly<Record<AwaitedThing, string>> = {
  SEND_FINANCE_DECISION: "The lender's decision",
  AWAITING_LENDER_DECISION: "The lender's decision",
  ...byNextAction((step) => STEPS[step].team.awaited),
  DEALER_TO_REVIEW: "A review",
  IDENTITY_UNDER_REVIEW: "A review of the identity check",
  HANDOVER_BEING_CREATED: "The handover being set up",
  IDENTITY_CHECK_BEING_STARTED: "The identity check being started",
  VIDEO_BEING_CHECKED: "The video being checked"
}

export const awaitedFrom: Readonly<Record<AwaitedFrom, string>> = {
  CALLER: "The system that started the journey",
  PANEL: "The finance panel",
  IDENTITY_PROVIDER: "The identity provider",
  CUSTOMER: "The customer",
  TEAM: "Your team",
  SERVICE: "The service"
}

export const workNames: Readonly<Record<PendingWorkKind, string>> = {
  CREATE_HANDOVER: "Set the handover up",
  SUBMIT_APPLICATION: "Submit the application to the finance panel",
  START_IDENTITY_CHECK: "Ask the identity provider to start the check",
  CHECK_VIDEO: "Check the handover video",
  DELETE_BIOMETRICS: "Delete photos and videos"
}

// Object.fromEntries loses the key type; the entries are exactly these.
const labelsOfButtons = Object.fromEntries(buttonCalls.map((name) => [name, teamButtons[name].label])) as Readonly<
  Record<ButtonCall, string>
>

export const callNames: Readonly<Record<JourneyCall, string>> = {
  cancelJourney: "Cancel the journey",
  sendFinanceDecision: "Send the lender's decision",
  replaceCustomerFace: "Replace the customer's photo",
  simulateEvent: "Simulate an event",
  ...labelsOfButtons,
  cancelCompanyJourney: "Cancel the journey",
  cancelHandover: "Cancel the handover",
  forceOutcome: "Force an outcome",
  decideReview: "Decide the review"
}

const messages: Readonly<Record<JourneyMessageTag | "Start", string>> = {
  Start: "The journey started",
  Cancel: "The journey was cancelled",
  FinanceDecision: "The lender's decision came",
  ReplaceFace: "The customer's photo was replaced",
  Simulate: "An event was simulated",
  PanelAccepted: "The finance panel accepted the application",
  PanelDecision: "The finance panel decided",
  PanelFailed: "The application could not be submitted",
  IdentityVerified: "The identity was verified",
  IdentityUnderReview: "The identity check needs a person",
  IdentityFailed: "The identity check failed",
  IdentityUnavailable: "The identity check could not be started",
  IdentityCheckStarted: "The identity check was started",
  HandoverCreated: "The handover was set up",
  OwedBegun: "Work was begun",
  OwedDone: "Work was done",
  OwedFailed: "Work failed",
  ConsentGiven: "The customer agreed to the comparison of faces",
  ConsentRefused: "The customer refused the comparison of faces",
  ConsentWithdrawn: "The customer withdrew the consent to the comparison of faces",
  LocationConfirmed: "The customer confirmed the address",
  VideoUploaded: "The customer sent the video",
  VideoMatched: "The video shows the customer",
  VideoUnclear: "The video needs a person",
  VideoNotMatched: "The video shows somebody else",
  TeamResendsCheck: "The team resent the identity check",
  TeamApprovesVideo: "The team approved the video",
  TeamRejectsVideo: "The team rejected the video",
  TeamCancelsHandover: "The team cancelled the handover",
  CustomerWindowPassed: "The customer's time ran out",
  SafetyCapPassed: "The journey's time ran out",
  CustomerReminded: "The customer was reminded",
  SandboxTick: "The sandbox went a step on",
  SandboxHeld: "The sandbox waits for somebody"
}

/** What a message came to. A check that verified the identity by less than the company asks for (D8) verified nothing. */
export const messageInWords = ({ message, reasons }: Pick<TimelineEntryResource, "message" | "reasons">): string =>
  message === "IdentityVerified" && reasons.includes("ASSURANCE_TOO_LOW" satisfies CheckReason)
    ? messages.IdentityUnderReview
    : ((messages as Readonly<Record<string, string>>)[message] ?? message)

const senders: Readonly<Record<string, string>> = {
  key: "API key",
  operator: "Operator",
  member: "Somebody of the team",
  customer: "Customer",
  panel: "Finance panel",
  identity: "Identity check",
  video: "Video check",
  service: "The service",
  timer: "Timer",
  sandbox: "Sandbox"
}

/** A sender may be named with an id behind a colon. */
export const senderInWords = (sender: string): string => {
  const [kind = ""] = sender.split(":", 1)
  return senders[kind] ?? sender
}

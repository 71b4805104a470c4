/**
 * The vocabulary of a journey: its types, its shapes, and the statuses of its three regions. A status is the suffix, in
 * capitals, of the event that leads to it, so that one word serves the resource, the events and the code; only the first status of a handover comes with `delivery.created`. How statuses
 * follow one another is in the transition table of the rules.
 */
import { Schema } from "effect"
import { reasonLimits } from "./limits.ts"

export const JourneyType = Schema.Literals(["FINANCE_IDENTITY_DELIVERY", "IDENTITY_DELIVERY", "DELIVERY"])
export type JourneyType = typeof JourneyType.Type

export const JourneyStatus = Schema.Literals(["ACTIVE", "COMPLETED", "CANCELLED", "EXPIRED"])
export type JourneyStatus = typeof JourneyStatus.Type

/** The five bodies that a start can have (§4.3). A journey never changes its shape. */
export const Shape = Schema.Literals([
  "FINANCE_ALREADY_SUBMITTED",
  "FINANCE_SUBMIT_VIA_MIRA",
  "IDENTITY_DELIVERY",
  "CASH_SALE",
  "FINANCE_SALE"
])
export type Shape = typeof Shape.Type

export const typeOfShape: Readonly<Record<Shape, JourneyType>> = {
  FINANCE_ALREADY_SUBMITTED: "FINANCE_IDENTITY_DELIVERY",
  FINANCE_SUBMIT_VIA_MIRA: "FINANCE_IDENTITY_DELIVERY",
  IDENTITY_DELIVERY: "IDENTITY_DELIVERY",
  CASH_SALE: "DELIVERY",
  FINANCE_SALE: "DELIVERY"
}

export const HandoverType = Schema.Literals(["IN_STORE", "HOME_DELIVERY"])
export type HandoverType = typeof HandoverType.Type

export const PanelSubmission = Schema.Literals(["ALREADY_SUBMITTED", "SUBMIT_VIA_MIRA"])
export type PanelSubmission = typeof PanelSubmission.Type

export const Decision = Schema.Literals(["APPROVED", "DECLINED", "REFERRED"])
export type Decision = typeof Decision.Type

export const FinanceStatus = Schema.Literals(["SUBMITTED", "REFERRED", "APPROVED", "DECLINED", "SUBMISSION_FAILED"])
export type FinanceStatus = typeof FinanceStatus.Type

export const IdentityStatus = Schema.Literals(["REQUESTED", "UNDER_REVIEW", "FAILED", "UNAVAILABLE", "VERIFIED"])
export type IdentityStatus = typeof IdentityStatus.Type

const afterIdentity = [
  "AWAITING_LOCATION",
  "AWAITING_VIDEO",
  "VIDEO_UPLOADED",
  "UNDER_REVIEW",
  "COMPLETED",
  "CANCELLED",
  "EXPIRED"
] as const

/** The statuses of the handover as the journey keeps them. */
export const HandoverStatus = Schema.Literals(["AWAITING_IDENTITY", ...afterIdentity])
export type HandoverStatus = typeof HandoverStatus.Type

/** The statuses as callers read them in `delivery.status`: on a cash sale they show the identity check too (E4). */
export const DeliveryStatus = Schema.Literals([
  "AWAITING_IDENTITY",
  "IDENTITY_UNDER_REVIEW",
  "IDENTITY_UNAVAILABLE",
  ...afterIdentity
])
export type DeliveryStatus = typeof DeliveryStatus.Type

export const SubmissionFailure = Schema.Literals(["PANEL_NOT_CONFIGURED", "PANEL_ERROR", "SUBMISSION_ERROR"])
export type SubmissionFailure = typeof SubmissionFailure.Type

export const UnavailableReason = Schema.Literals(["EKYC_NOT_CONFIGURED", "PROVIDER_ERROR"])
export type UnavailableReason = typeof UnavailableReason.Type

/**
 * What a verification of the identity rests on (D8), the least first. NONE: a person alone decided, or the identity is not
 * verified. FACE_MATCH: document and selfie show one face. DOCUMENT: the text of the document was read and fits the customer
 * as well. PROVIDER: an outside provider's word.
 */
export const Assurance = Schema.Literals(["NONE", "FACE_MATCH", "DOCUMENT", "PROVIDER"])
export type Assurance = typeof Assurance.Type

/** The least that a company may ask for: what is less goes to a person. */
export const LeastAssurance = Schema.Literals(["FACE_MATCH", "DOCUMENT", "PROVIDER"])
export type LeastAssurance = typeof LeastAssurance.Type

const rankOf = (assurance: Assurance): number => Assurance.literals.indexOf(assurance)

/** Whether it is less than what is asked for. */
export const isBelow = (assurance: Assurance, least: LeastAssurance): boolean => rankOf(assurance) < rankOf(least)

/** Why an identity check or a video check came to its result, in the service's own words. */
export const CheckReason = Schema.Literals([
  "CONSENT_REFUSED",
  "CONSENT_WITHDRAWN",
  "FACES_UNCLEAR",
  "FACES_DIFFERENT",
  "SAME_PICTURE",
  "NO_FACE",
  "NO_DOCUMENT",
  "NAME_DIFFERS",
  "BIRTH_DATE_DIFFERS",
  "DOCUMENT_EXPIRED",
  "DOCUMENT_UNREADABLE",
  "ASSURANCE_TOO_LOW",
  "VIDEO_UNCLEAR",
  "VIDEO_MISMATCH",
  "STILL_PICTURE",
  "TURNS_NOT_SEEN",
  "TURNS_OTHERS",
  "SEVERAL_PEOPLE",
  "TEAM_REJECTED",
  "PROVIDER_DECISION"
])
export type CheckReason = typeof CheckReason.Type

const codePattern = new RegExp(`^[A-Z][A-Z0-9_]{0,${reasonLimits.longestReasonCode - 1}}$`)

/** A code and never free text: one of the service's own, or the code of a provider, kept as the provider sent it. */
export const ReasonCode = Schema.String.check(
  Schema.isPattern(codePattern, {
    message: `Must be a code of capitals, digits and underscores, up to ${reasonLimits.longestReasonCode} characters`
  })
)

/** The reasons of one result. */
export const ReasonCodes = Schema.Array(ReasonCode).check(
  Schema.isMaxLength(reasonLimits.mostReasons, { message: `No more than ${reasonLimits.mostReasons} reasons` })
)

/**
 * The types of `journeys/webhooks`: what `verifier.js` takes, throws and returns. The names of events and statuses are
 * written out, because a receiver has no other file of the project. `verifier.test.ts` compares them with the catalogue.
 */

/** The names that exist today. New ones may come at any time, so always write a `default`. */
type Open<Known extends string> = Known | (string & {})

export type JourneyType = "FINANCE_IDENTITY_DELIVERY" | "IDENTITY_DELIVERY" | "DELIVERY"
export type JourneyStatus = "ACTIVE" | "COMPLETED" | "CANCELLED" | "EXPIRED"
export type FinanceStatus = "SUBMITTED" | "REFERRED" | "APPROVED" | "DECLINED" | "SUBMISSION_FAILED"
export type IdentityStatus = "REQUESTED" | "UNDER_REVIEW" | "FAILED" | "UNAVAILABLE" | "VERIFIED"
export type DeliveryStatus =
  | "AWAITING_IDENTITY"
  | "IDENTITY_UNDER_REVIEW"
  | "IDENTITY_UNAVAILABLE"
  | "AWAITING_LOCATION"
  | "AWAITING_VIDEO"
  | "VIDEO_UPLOADED"
  | "UNDER_REVIEW"
  | "COMPLETED"
  | "CANCELLED"
  | "EXPIRED"
export type SubmissionFailure = "PANEL_NOT_CONFIGURED" | "PANEL_ERROR" | "SUBMISSION_ERROR"
/** NONE: a person alone decided. */
export type Assurance = "NONE" | "FACE_MATCH" | "DOCUMENT" | "PROVIDER"
export type UnavailableReason = "EKYC_NOT_CONFIGURED" | "PROVIDER_ERROR"

/** Ids and statuses as they are after the event; never personal details. */
export interface JourneyData {
  readonly journeyId: string
  readonly journeyType: Open<JourneyType>
  readonly journeyStatus: Open<JourneyStatus>
  readonly externalReference: string | null
  readonly customerReference: string
  /** Present once a handover exists. */
  readonly deliveryStatus?: Open<DeliveryStatus>
  /** Present on FINANCE_IDENTITY_DELIVERY. */
  readonly financeStatus?: Open<FinanceStatus>
  /** Present on FINANCE_IDENTITY_DELIVERY and IDENTITY_DELIVERY once the check has been requested. */
  readonly identityStatus?: Open<IdentityStatus>
}

export interface SubmissionFailedData extends JourneyData {
  readonly reason: Open<SubmissionFailure>
}

export interface IdentityVerifiedData extends JourneyData {
  /** What the verification rests on. Events of earlier releases have none. */
  readonly assurance?: Open<Assurance>
}

export interface IdentityUnavailableData extends JourneyData {
  readonly reason: Open<UnavailableReason>
}

export interface PingData {
  readonly endpointId: string
}

interface EventOf<Type extends string, Data> {
  /** The same in every delivery of the event: find duplicates by it. */
  readonly id: string
  readonly type: Type
  readonly apiVersion: string
  readonly livemode: boolean
  /** ISO 8601 in UTC. Within a journey every event has a later time than the one before. */
  readonly createdAt: string
  readonly data: Data
}

export type SubmissionFailedEvent = EventOf<"finance_enquiry.submission_failed", SubmissionFailedData>
export type IdentityVerifiedEvent = EventOf<"identity.verified", IdentityVerifiedData>
export type IdentityUnavailableEvent = EventOf<"identity.unavailable", IdentityUnavailableData>
export type PingEvent = EventOf<"ping", PingData>

/** Every other event of a journey. */
export type JourneyEvent = EventOf<
  | "journey.created"
  | "journey.customer_face_replaced"
  | "journey.completed"
  | "journey.cancelled"
  | "journey.expired"
  | "finance_enquiry.submitted"
  | "finance_enquiry.approved"
  | "finance_enquiry.declined"
  | "finance_enquiry.referred"
  | "identity.requested"
  | "identity.under_review"
  | "identity.failed"
  | "delivery.created"
  | "delivery.location_confirmed"
  | "delivery.awaiting_video"
  | "delivery.video_uploaded"
  | "delivery.under_review"
  | "delivery.completed"
  | "delivery.cancelled"
  | "delivery.expired",
  JourneyData
>

export type KnownEvent =
  | JourneyEvent
  | SubmissionFailedEvent
  | IdentityVerifiedEvent
  | IdentityUnavailableEvent
  | PingEvent

/**
 * An event of a type that is newer than this module: the `default` of a `switch`. The literal is a placeholder that lets
 * TypeScript tell the known types apart; at run time the type is another text, so compare it as a plain `string`.
 */
export type LaterEvent = EventOf<"(a later type)", unknown>

/** The event in a delivery. A `switch` over `type` gives each event its own `data`. */
export type WebhookEvent = KnownEvent | LaterEvent

/** Fetch's `Headers`, Node's `request.headers`, or any record of headers; upper and lower case do not matter. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined; readonly get?: never }

interface Received {
  /** The exact bytes as received, before any parser, or their text. */
  readonly body: string | Uint8Array | ArrayBuffer
  /** The endpoint's secret, the whole text as it was shown. Of several secrets any one may match. */
  readonly secret: string | ReadonlyArray<string>
  /** How many seconds ago, or ahead, a delivery may have been signed. 300 unless given; 0 allows only the same second. */
  readonly toleranceSeconds?: number | undefined
  /** The present time, as a Date or epoch milliseconds; the machine's clock unless given. */
  readonly now?: Date | number | undefined
}

/** A delivery as it arrived, with its headers or with the text of `Service-Signature` alone. */
export type WebhookDelivery = Received &
  (
    | { readonly headers: ReceivedHeaders; readonly signature?: undefined }
    | { readonly signature: string | null | undefined; readonly headers?: undefined }
  )

/**
 * - `BODY_NOT_RAW`: the body was parsed before it got here
 * - `MISSING_SIGNATURE`, `MALFORMED_SIGNATURE`: the header is absent, twice there, or of another form
 * - `NO_MATCH`: another secret, or other bytes than were signed
 * - `STALE_TIMESTAMP`, `FUTURE_TIMESTAMP`: genuine, but signed too long ago, or ahead of this machine's clock
 * - `MALFORMED_BODY`: genuine, but not an event
 */
export type WebhookVerificationReason =
  | "BODY_NOT_RAW"
  | "MISSING_SIGNATURE"
  | "MALFORMED_SIGNATURE"
  | "NO_MATCH"
  | "STALE_TIMESTAMP"
  | "FUTURE_TIMESTAMP"
  | "MALFORMED_BODY"

/** The only error that a request can cause: answer it with 400. Its message contains nothing of the secret or the body. */
export declare class WebhookVerificationError extends Error {
  constructor(reason: WebhookVerificationReason, message: string)
  override readonly name: "WebhookVerificationError"
  readonly reason: WebhookVerificationReason
}

/** The tolerance unless another is given, in seconds. */
export declare const defaultToleranceSeconds: 300

/** Verifies a delivery and returns its event; throws WebhookVerificationError if it is not genuine, or not recent. */
export declare const verifyWebhook: (delivery: WebhookDelivery) => WebhookEvent

/** Verifies a signature over any body, and reads nothing of it. */
export declare const verifySignature: (delivery: WebhookDelivery) => void

/** The id of the journey that an event tells of, also of a type that is newer than this module. Null: of none, as a ping. */
export declare const journeyIdOf: (event: {
  readonly id: string
  readonly type: string
  readonly data?: unknown
}) => string | null

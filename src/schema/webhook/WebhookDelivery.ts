/**
 * The delivery log as the settings API shows it. A delivery is one event on its way to one endpoint and has the event's id;
 * its attempts say what happened each time. The states of a delivery are drawn in `actors/webhook/rules/DueWebhookDelivery.ts`.
 */
import { Schema } from "effect"
import { eventTypes } from "../journey/events.ts"
import { JourneyEventType } from "./EventSelection.ts"
import { FailureClass } from "../failureClass.ts"
import { WebhookDeliveryStatus } from "../WebhookDeliveryStatus.ts"

/** What caused an attempt: the schedule, a resend by the owner, or a test from the settings. */
export const AttemptTrigger = Schema.Literals(["SCHEDULE", "RESEND", "TEST"])
export type AttemptTrigger = typeof AttemptTrigger.Type

export const WebhookAttemptResource = Schema.Struct({
  number: Schema.Int,
  at: Schema.String.annotate({
    description:
      "When the request was signed, just before it left, as in `Service-Timestamp`. When no connection came about: when the attempt began."
  }),
  durationMillis: Schema.Int.annotate({
    description: "Of the whole attempt, the look-up of the host and the opening of the connection included"
  }),
  trigger: AttemptTrigger,
  requestHeaders: Schema.Record(Schema.String, Schema.String).annotate({
    description:
      "The headers that the service gave the request, its signature included: it proves this body at this time, and tells nothing of the secret. After an error of the connection none of it may have been sent. `Service-Signature` is missing where nothing was signed, because no connection came about, and in attempts of versions that did not log it."
  }),
  /** The status the endpoint answered with, or null when there was no answer. */
  httpStatus: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(FailureClass),
  /** The beginning (`keptAnswerBytes`) of the answer's body, as text. */
  answer: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DeliveryAttempt" })
export type WebhookAttemptResource = typeof WebhookAttemptResource.Type

export const WebhookDeliveryResource = Schema.Struct({
  /** The event's id. */
  id: Schema.String,
  type: Schema.Literals(eventTypes),
  /** Null for a ping or a sample. */
  journeyId: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  status: WebhookDeliveryStatus,
  nextAttemptAt: Schema.NullOr(Schema.String),
  attempts: Schema.Array(WebhookAttemptResource)
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDeliveryResource = typeof WebhookDeliveryResource.Type

/** One delivery by itself: with the body that is sent, byte for byte. */
export const WebhookDeliveryWithBody = Schema.Struct({
  ...WebhookDeliveryResource.fields,
  body: Schema.String.annotate({ description: "The body of every attempt, as it is signed" })
}).annotate({ identifier: "WebhookDeliveryWithBody" })
export type WebhookDeliveryWithBody = typeof WebhookDeliveryWithBody.Type

/** The body that asks for a sample of an event. */
export const SampleBody = Schema.Struct({ type: JourneyEventType }).annotate({ identifier: "SampleEvent" })
export type SampleBody = typeof SampleBody.Type

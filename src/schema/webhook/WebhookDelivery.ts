/**
 * The delivery log as the settings API shows it. A delivery is one event on its way to one endpoint and has the event's id;
 * its attempts say what happened each time. A resend of many events is a task of its own. The states of a delivery are drawn
 * in `actors/webhook/rules/DueWebhookDelivery.ts`.
 */
import { Schema } from "effect"
import { eventTypes } from "../journey/events.ts"
import { FailureClass } from "../failureClass.ts"

/** PARKED: the endpoint was off, or went off while the delivery was pending. Its owner may have it resent. */
export const WebhookDeliveryStatus = Schema.Literals(["PENDING", "DELIVERED", "GIVEN_UP", "PARKED"])
export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus.Type

/** What caused an attempt: the schedule, a resend by the owner, or a test from the settings. */
export const AttemptTrigger = Schema.Literals(["SCHEDULE", "RESEND", "TEST"])
export type AttemptTrigger = typeof AttemptTrigger.Type

export const WebhookAttemptResource = Schema.Struct({
  number: Schema.Int,
  at: Schema.String,
  durationMillis: Schema.Int,
  trigger: AttemptTrigger,
  /** The status the endpoint answered with, or null when there was no answer. */
  httpStatus: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(FailureClass),
  /** The first 4 KB of the answer's body, as text. */
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

export const ResendTaskResource = Schema.Struct({
  id: Schema.String,
  state: Schema.Literals(["RUNNING", "DONE"]),
  since: Schema.String,
  types: Schema.NullOr(Schema.Array(Schema.String)),
  journeyId: Schema.NullOr(Schema.String),
  /** Whether delivered events are sent again as well. */
  delivered: Schema.Boolean,
  /** How many events have been made due so far; `counts` says how they stand. */
  queued: Schema.Int,
  counts: Schema.Struct({
    PENDING: Schema.Int,
    DELIVERED: Schema.Int,
    GIVEN_UP: Schema.Int,
    PARKED: Schema.Int
  }),
  createdAt: Schema.String,
  finishedAt: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ResendTask" })
export type ResendTaskResource = typeof ResendTaskResource.Type

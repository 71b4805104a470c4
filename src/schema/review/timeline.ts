/**
 * A journey's timeline as a company's team reads it: every message with its sender, and what came of the message. Only one
 * member may be personal: the free text that came with a message, such as the reason of a cancellation (V22).
 */
import { Schema } from "effect"
import { WebhookDeliveryStatus } from "../WebhookDeliveryStatus.ts"
import { MailKind } from "../mail/mailKinds.ts"
import { SaleOutcome } from "../company/StockVehicle.ts"

export const TimelineEvent = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  sequence: Schema.Int,
  createdAt: Schema.String,
  delivery: Schema.NullOr(
    Schema.Struct({
      status: WebhookDeliveryStatus,
      attempts: Schema.Int,
      nextAttemptAt: Schema.NullOr(Schema.String),
      deliveredAt: Schema.NullOr(Schema.String)
    })
  ).annotate({ description: "To the webhook endpoint; null when there was none that wanted it" })
}).annotate({ identifier: "TimelineEvent" })
export type TimelineEvent = typeof TimelineEvent.Type

/** STRUCK_OFF: the mail was out of date before it was sent, for example because its customer was erased. */
export const MailState = Schema.Literals(["PENDING", "SENT", "GIVEN_UP", "STRUCK_OFF"])
export type MailState = typeof MailState.Type

export const TimelineMail = Schema.Struct({
  id: Schema.String,
  kind: MailKind,
  state: MailState,
  tries: Schema.Int,
  createdAt: Schema.String,
  nextTryAt: Schema.NullOr(Schema.String),
  sentAt: Schema.NullOr(Schema.String)
}).annotate({ identifier: "TimelineMail" })
export type TimelineMail = typeof TimelineMail.Type

/** The statuses of the journey's regions after a message, as the events show them. */
const Statuses = Schema.Struct({
  journeyStatus: Schema.String,
  financeStatus: Schema.NullOr(Schema.String),
  identityStatus: Schema.NullOr(Schema.String),
  deliveryStatus: Schema.NullOr(Schema.String)
})

export const TimelineEntryResource = Schema.Struct({
  version: Schema.Int.annotate({ description: "The journey's version after it" }),
  at: Schema.String,
  sender: Schema.String.annotate({
    description: "Who sent it: key:<id>, operator, customer, panel, identity, video, service, timer or sandbox"
  }),
  message: Schema.String.annotate({ description: "Its name, such as Start, Cancel or IdentityVerified" }),
  details: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "What else it says; codes and numbers"
  }),
  reasons: Schema.Array(Schema.String).annotate({
    description:
      "Why it came to this, as codes: those of a check's result, of an attempt that failed (HTTP_400, TOOK_TOO_LONG), of a check or a submission that could not be made"
  }),
  note: Schema.NullOr(Schema.String).annotate({
    description:
      "The free text it came with, such as the reason of a cancellation or of a review; gone when its customer was erased"
  }),
  statuses: Schema.NullOr(Statuses).annotate({ description: "After it; null when it changed none" }),
  events: Schema.Array(TimelineEvent),
  mails: Schema.Array(TimelineMail),
  vehicle: Schema.NullOr(SaleOutcome).annotate({
    description:
      "What its completion came to in the stock; ALREADY_SOLD and UNKNOWN are for the team to look at, the handover stands"
  })
}).annotate({ identifier: "TimelineEntry" })
export type TimelineEntryResource = typeof TimelineEntryResource.Type

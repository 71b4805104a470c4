/**
 * A journey's timeline as a company's team reads it: every message with its sender, and what came of the message. Only one
 * member may be personal: the free text that came with a message, such as the reason of a cancellation (V22).
 */
import { Schema } from "effect"
import { AttemptTrigger } from "../webhook/WebhookDelivery.ts"
import { FailureClass } from "../failureClass.ts"
import { PageQuery } from "../decoding/parameters.ts"
import { PendingWorkKind } from "../journey/actions.ts"
import { wholeNumber } from "../decoding/numbers.ts"
import { WebhookDeliveryStatus } from "../WebhookDeliveryStatus.ts"
import { MailKind } from "../mail/mailKinds.ts"
import { SaleOutcome } from "../company/StockVehicle.ts"

export const TimelineOrder = Schema.Literals(["OLDEST_FIRST", "NEWEST_FIRST"])
export type TimelineOrder = typeof TimelineOrder.Type

/** The largest number that a version can be. */
const lastVersion = 2_147_483_647

export const TimelineQuery = Schema.Struct({
  order: Schema.optionalKey(TimelineOrder.annotate({ description: "The order of the lines", default: "OLDEST_FIRST" })),
  upTo: Schema.optionalKey(
    wholeNumber(1, lastVersion).annotate({
      description: "Only lines up to this version: pages of the newest lines stay where they are while new lines come"
    })
  ),
  ...PageQuery.fields
})

/** One attempt to deliver an event, without what the endpoint answered: the delivery log has that. */
const TimelineAttempt = Schema.Struct({
  number: Schema.Int,
  at: Schema.String,
  trigger: AttemptTrigger,
  httpStatus: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(FailureClass),
  durationMillis: Schema.Int
}).annotate({ identifier: "TimelineAttempt" })

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
      deliveredAt: Schema.NullOr(Schema.String),
      latestAttempts: Schema.Array(TimelineAttempt).annotate({ description: "The newest at the end" })
    })
  ).annotate({ description: "To the webhook endpoint; null when there was none that wanted it" })
}).annotate({ identifier: "TimelineEvent" })
export type TimelineEvent = typeof TimelineEvent.Type

/**
 * BOUNCED: the mail was sent and came back. COMPLAINED_OF: it was sent, and reported as spam. STRUCK_OFF: it was out of date before it was sent, for example because its customer was
 * erased.
 */
export const MailState = Schema.Literals(["PENDING", "SENT", "BOUNCED", "COMPLAINED_OF", "GIVEN_UP", "STRUCK_OFF"])
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

const TimelineWork = Schema.Struct({
  kind: Schema.NullOr(PendingWorkKind).annotate({ description: "Null on lines that earlier versions wrote" }),
  attempt: Schema.Int.annotate({ description: "Which attempt it is, counted from 1" }),
  dueAt: Schema.NullOr(Schema.String).annotate({
    description:
      "While it waits: when the attempt must be over, or when the next one begins after a failure. Null once it is over"
  })
}).annotate({ identifier: "TimelineWork" })
export type TimelineWork = typeof TimelineWork.Type

/** What the export of a customer's data has of a line: no address of a member stands in it. */
export const TimelineEntry = Schema.Struct({
  version: Schema.Int.annotate({ description: "The journey's version after it" }),
  at: Schema.String,
  sender: Schema.String.annotate({
    description:
      "Who sent it: key:<id>, operator, member:<id>, customer, panel, identity, video, service, timer or sandbox"
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
  work: Schema.NullOr(TimelineWork).annotate({
    description: "On lines about work that the service does for the journey: which work, and which attempt"
  }),
  vehicle: Schema.NullOr(SaleOutcome).annotate({
    description:
      "What its completion came to in the stock; ALREADY_SOLD and UNKNOWN are for the team to look at, the handover stands"
  })
}).annotate({ identifier: "ExportedTimelineEntry" })
export type TimelineEntry = typeof TimelineEntry.Type

export const TimelineEntryResource = Schema.Struct({
  ...TimelineEntry.fields,
  senderName: Schema.String.annotate({
    description: "The sender as a person reads it: of a member the address, as long as they are a member"
  })
}).annotate({ identifier: "TimelineEntry" })
export type TimelineEntryResource = typeof TimelineEntryResource.Type

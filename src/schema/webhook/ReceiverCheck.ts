/** What a check of a receiver found, probe by probe: what was sent, what the receiver should do, what it did, and whether that is right. */
import { Schema } from "effect"
import { FailureClass } from "../failureClass.ts"

export const ReceiverProbe = Schema.Literals([
  "TRUE_EVENT",
  "REPEAT",
  "OLD_TIMESTAMP",
  "CHANGED_BYTE",
  "ROLLED_SECRET",
  "UNKNOWN_TYPE",
  "SLOW_BODY"
]).annotate({ identifier: "ReceiverProbe" })
export type ReceiverProbe = typeof ReceiverProbe.Type

export const ReceiverCheckLine = Schema.Struct({
  probe: ReceiverProbe,
  passed: Schema.NullOr(Schema.Boolean).annotate({ description: "Null: it was not sent, because of what came before" }),
  sent: Schema.String.annotate({ description: "What was sent, for people" }),
  should: Schema.String.annotate({ description: "What a receiver should do, for people" }),
  did: Schema.String.annotate({ description: "What this one did, for people" }),
  httpStatus: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(FailureClass),
  durationMillis: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "ReceiverCheckLine" })
export type ReceiverCheckLine = typeof ReceiverCheckLine.Type

export const ReceiverCheck = Schema.Struct({
  url: Schema.String,
  passed: Schema.Boolean.annotate({ description: "Whether every probe was sent and met with what it should meet" }),
  lines: Schema.Array(ReceiverCheckLine)
}).annotate({ identifier: "ReceiverCheck" })
export type ReceiverCheck = typeof ReceiverCheck.Type

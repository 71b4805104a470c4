/**
 * A journey's journal as a test case: what the rules knew at its start, every message with its time, and what it came to. Ids,
 * references and names are replaced by ones that are always the same, and nothing of a customer is in it. The test kit replays it
 * against the rules and makes it shorter.
 */
import { Schema } from "effect"

/** Rises when the form changes. */
export const testCaseFormat = 1

const record = Schema.Record(Schema.String, Schema.Unknown)

export const TestCaseResource = Schema.Struct({
  format: Schema.Literal(testCaseFormat),
  facts: record.annotate({ description: "What the rules know of the start: shape, place, windows, sandbox" }),
  startedAt: Schema.Int.annotate({ description: "Epoch milliseconds" }),
  messages: Schema.Array(
    Schema.Struct({
      at: Schema.Int.annotate({ description: "Epoch milliseconds" }),
      message: record.annotate({ description: "Its tag and what it says; codes and numbers" })
    })
  ).annotate({ description: "In the order in which they were taken" }),
  cameTo: Schema.Struct({
    status: Schema.String,
    events: Schema.Array(Schema.String).annotate({ description: "The types of its events, in order" })
  }),
  isWhole: Schema.Boolean.annotate({ description: "false when the journal is longer: then only its beginning is here" })
}).annotate({ identifier: "TestCase" })
export type TestCaseResource = typeof TestCaseResource.Type

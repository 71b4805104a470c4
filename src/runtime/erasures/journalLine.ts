/** A line of the journal of what has ended, as it stands in a file: one JSON object. What the things mean is the port's. */
import { Schema } from "effect"

const at = Schema.String

export const JournalLine = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ at, what: Schema.Literal("CUSTOMER"), companyId: Schema.String, customerId: Schema.String }),
    Schema.Struct({ at, what: Schema.Literal("API_KEY"), companyId: Schema.String, hash: Schema.String }),
    Schema.Struct({
      at,
      what: Schema.Literal("WEBHOOK_SECRET"),
      endpointId: Schema.String,
      hash: Schema.String,
      until: Schema.Number
    })
  ])
)
export type JournalLine = typeof JournalLine.Type

/** Each file ends so: other files of the folder are left alone. */
export const journalFileEnding = ".ended.jsonl"

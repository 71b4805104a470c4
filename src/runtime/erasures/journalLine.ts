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
    }),
    Schema.Struct({ at, what: Schema.Literal("MEMBER"), companyId: Schema.String, memberId: Schema.String }),
    Schema.Struct({ at, what: Schema.Literal("PASSKEY"), companyId: Schema.String, passkeyId: Schema.String }),
    Schema.Struct({ at, what: Schema.Literal("CONSOLE_SESSION"), sessionId: Schema.String }),
    Schema.Struct({ at, what: Schema.Literal("OPERATOR_TOKEN"), tokenId: Schema.String })
  ])
)
export type JournalLine = typeof JournalLine.Type

export type LineOf<What extends JournalLine["what"]> = Extract<JournalLine, { readonly what: What }>

export const linesOf = <What extends JournalLine["what"]>(lines: ReadonlyArray<JournalLine>, what: What) =>
  lines.filter((line): line is LineOf<What> => line.what === what)

/** Who it was, in the audit log, when a line was applied. */
export const journalActor = "journal of erasures"

/** Each file ends so: other files of the folder are left alone. */
export const journalFileEnding = ".ended.jsonl"

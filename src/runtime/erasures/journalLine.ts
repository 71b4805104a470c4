/** A line of the journal of what has ended, as it stands in a file: one JSON object. What the things mean is the port's. */
import { Schema } from "effect"
import { EndedLine } from "../../actors/erasure/EndedThing.ts"

export const JournalLine = Schema.fromJsonString(EndedLine)
export type JournalLine = typeof JournalLine.Type

/** Who it was, in the audit log, when a line was applied. */
export const journalActor = "journal of erasures"

/** Each file ends so: other files of the folder are left alone. */
export const journalFileEnding = ".ended.jsonl"

/**
 * A check of a company's audit log: each line has its place and a hash over the line before and its own content, so a line that
 * was changed or taken out is found. Places and hashes of lines are in no list; they say nothing to a reader.
 */
import { Schema } from "effect"
import { withExample } from "../model.ts"
import { textParameter } from "../decoding/parameters.ts"
import { wholeNumber } from "../decoding/numbers.ts"
import { companyLimits } from "./limits.ts"

const hash = /^[0-9a-f]{64}$/

/** Where a check goes on: what the check before has answered, or what was noted of one long ago. */
export const AuditCheckQuery = Schema.Struct({
  number: Schema.optionalKey(
    wholeNumber(1, companyLimits.mostAuditLines).annotate({
      description: "Goes on after the line with this number; `number` of an answer"
    })
  ),
  hash: Schema.optionalKey(
    textParameter((text) => (hash.test(text) ? undefined : "must be 64 lower-case hex digits")).annotate({
      description: "What the hash of that line was; `hash` of that answer"
    })
  )
})

export const brokenReasons = ["CHANGED", "MISSING"] as const

export const AuditCheckResource = Schema.Struct({
  checked: withExample(Schema.Int.annotate({ description: "Lines that this check has looked at" }), 2041),
  number: withExample(
    Schema.NullOr(Schema.Int).annotate({ description: "The last of them; null: the log is empty" }),
    2041
  ),
  hash: withExample(
    Schema.NullOr(Schema.String).annotate({
      description:
        "Its hash. Keep number and hash elsewhere: a later check from there finds a log that was written anew"
    }),
    "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"
  ),
  broken: withExample(
    Schema.NullOr(
      Schema.Struct({
        number: Schema.Int,
        reason: Schema.Literals(brokenReasons).annotate({
          description:
            "CHANGED: the line is not what was written. MISSING: lines before it are gone, or the line itself is"
        })
      })
    ).annotate({ description: "The first line that does not hold; null: all of them do" }),
    null
  ),
  isEnd: withExample(
    Schema.Boolean.annotate({ description: "Whether the log ends here; else ask again with `number` and `hash`" }),
    true
  )
}).annotate({ identifier: "AuditCheck" })
export type AuditCheckResource = typeof AuditCheckResource.Type

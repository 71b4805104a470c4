/** The months into which the tables that only grow are cut, for whoever wants to know what fills the disk and why a month stays. */
import { Schema } from "effect"

export const MonthResource = Schema.Struct({
  table: Schema.String.annotate({ description: "journal, events or attempts" }),
  part: Schema.String.annotate({
    description:
      "The month as PostgreSQL has it: a table of this name. _before has the rows of before the tables were cut, _other those that no month takes"
  }),
  endsAt: Schema.NullOr(Schema.String).annotate({ description: "The end of the month; null for _other" }),
  rows: Schema.Int.annotate({ description: "About how many rows, by PostgreSQL's own statistics" }),
  bytes: Schema.Int.annotate({ description: "On the disk, with indexes" }),
  oldestLiveJourney: Schema.NullOr(Schema.String).annotate({
    description:
      "The live journey of its oldest row. Null: no live journey keeps it, and it leaves once it is over and its test journeys are deleted"
  })
}).annotate({ identifier: "Month" })

export const MonthListResource = Schema.Struct({ content: Schema.Array(MonthResource) }).annotate({
  identifier: "MonthList"
})
export type MonthListResource = typeof MonthListResource.Type

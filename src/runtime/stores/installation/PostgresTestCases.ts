/** Whole journals in PostgreSQL, up to a number of lines, read in one statement so that they fit the state beside them. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestCases } from "../../../actors/installation/TestCases.ts"
import { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"

const Lines = Schema.Array(
  Schema.Struct({
    version: Schema.Int,
    at: Schema.Int,
    message: Schema.Record(Schema.String, Schema.Unknown)
  })
)

const Events = Schema.Array(
  Schema.Struct({ type: Schema.String, version: Schema.Int, reason: Schema.NullOr(Schema.String) })
)

const JournalRow = rowModel({
  state: column.ofSchema(Journey),
  version: column.number,
  isNewCustomer: column.bool,
  lines: column.ofSchema(Lines),
  events: column.ofSchema(Events)
})

/** The parameters: the journey, and how many lines. Events of earlier releases do not say their line: they are the start's. */
const journalStatement = `
select j.state, j.version,
  exists (select from mails m where m.journey_id = j.id and m.kind = 'WELCOME') as is_new_customer,
  (select json_agg(json_build_object('version', l.version, 'at', floor(extract(epoch from l.at) * 1000)::int8,
    'message', l.message) order by l.version) from journal l where l.journey_id = j.id and l.version <= $2::int4) as lines,
  coalesce((select json_agg(json_build_object('type', e.type, 'version', coalesce(e.version, 1),
    'reason', e.body::json -> 'data' ->> 'reason') order by e.sequence)
    from events e where e.journey_id = j.id and coalesce(e.version, 1) <= $2::int4), '[]') as events
from journeys j where j.id = $1::uuid`

export const layer = Layer.effect(
  TestCases,
  Effect.map(SqlClient.SqlClient, (sql) =>
    TestCases.of({
      journal: (id, lines) =>
        Effect.map(storeRead(JournalRow.first(sql.unsafe(journalStatement, [id, lines]))), (row) =>
          row === null
            ? null
            : {
                journey: row.state,
                lines: row.lines,
                isWhole: row.version <= lines,
                events: row.events,
                isNewCustomer: row.isNewCustomer
              }
        )
    })
  )
)

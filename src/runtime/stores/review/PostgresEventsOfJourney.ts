/** The newest events of a journey in PostgreSQL: one row a type, so there are never more rows than types of events. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EventsOfJourney } from "../../../actors/review/EventsOfJourney.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"

const newestStatement = `
select distinct on (type) type, id, created_at from events where journey_id = $1::uuid order by type, sequence desc`

const EventRow = rowModel({ type: column.text, id: column.text, createdAt: column.millis })

export const layer = Layer.effect(
  EventsOfJourney,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return EventsOfJourney.of({
      newest: (journeyId) =>
        storeRead(
          Effect.map(
            EventRow.all(sql.unsafe(newestStatement, [journeyId])),
            (rows) => new Map(rows.map(({ type, ...event }) => [type, event]))
          )
        )
    })
  })
)

/** The marks of journeys in PostgreSQL, from indexes alone: the version, and the attempts of its deliveries and mails. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { JourneyMarks } from "../../../actors/review/JourneyMarks.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"

const marksStatement = `
select j.id, md5(concat_ws(' ', j.version, d.deliveries, m.mails)) as mark
from journeys j
left join webhook_endpoints w on w.company_id = j.company_id and w.livemode = j.livemode
left join lateral (
  select string_agg(d.status || d.attempts, ' ' order by e.sequence) as deliveries
  from events e join deliveries d on d.endpoint_id = w.id and d.event_id = e.id where e.journey_id = j.id
) d on true
left join lateral (
  select concat_ws(' ', count(sent_at), count(given_up_at), count(due_at), sum(tries), count(returned_as)) as mails
  from mails where journey_id = j.id
) m on true
where j.id = any($1::uuid[])`

const MarkRow = rowModel({ id: column.text, mark: column.text })

export const layer = Layer.effect(
  JourneyMarks,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return JourneyMarks.of({
      of: (ids) =>
        storeRead(
          Effect.map(
            MarkRow.all(sql.unsafe(marksStatement, [ids])),
            (rows) => new Map(rows.map(({ id, mark }) => [id, mark]))
          )
        )
    })
  })
)

/**
 * Puts the events of a restored dump in order when the service starts. A dump that is loaded into another PostgreSQL server
 * brings events whose transaction numbers lie in that server's future: followers would not see these events until the
 * server's counter has caught up. They are put before every event to come, ordered among themselves by their ids. A place
 * that a follower kept from before is refused (`PostgresEventStore.ts`), and the follower begins again.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { duringStart } from "./duringStart.ts"
import { column, rowModel } from "./rows.ts"
import { smallestId } from "../../schema/uuid.ts"

/** The first number that a transaction can have: before every real one. */
const first = "3"

/** Costs one probe for each company and mode, however many events there are. */
const anyAhead = `
select exists (
  select from companies c cross join (values (true), (false)) as m (livemode)
  where exists (
    select from events e
    where e.company_id = c.id and e.livemode = m.livemode and e.tx >= pg_snapshot_xmax(pg_current_snapshot())
  )
) as ahead`

const AheadRow = rowModel({ ahead: column.bool })

const renumber = `
with tasks as (
  update resend_tasks set tx = '${first}', done_tx = '0', done_id = '${smallestId}'
  where finished_at is null and tx >= pg_snapshot_xmax(pg_current_snapshot())
)
update events set tx = '${first}' where tx >= pg_snapshot_xmax(pg_current_snapshot())`

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const found = yield* AheadRow.first(sql.unsafe(anyAhead))
    if (found?.ahead !== true) return
    yield* Effect.logWarning("The database was restored from a dump of another server: its events are put in order")
    yield* sql.withTransaction(
      // The statement takes as long as it takes: nobody is answered before it is done.
      Effect.andThen(sql`select set_config('statement_timeout', '0', true)`, sql.unsafe(renumber).unprepared)
    )
  }).pipe(Effect.catchTag("SqlError", duringStart))
)

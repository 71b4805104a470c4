/**
 * A dump that is loaded into another PostgreSQL server brings events whose transaction numbers lie in that server's
 * future: they would stay hidden from whoever follows events until its counter has caught up. They are noticed when the
 * service starts, and put before every event to come; among themselves their ids order them. A place that a follower
 * kept from before is refused (`PostgresEventStore.ts`), and it begins again.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { duringStart } from "../embedded/duringStart.ts"

/** The first number a transaction can have: before every real one, behind none. */
const first = "3"

/** A probe for each company and mode, however many events there are. */
const anyAhead = `
select exists (
  select from companies c cross join (values (true), (false)) as m (livemode)
  where exists (
    select from events e
    where e.company_id = c.id and e.livemode = m.livemode and e.tx >= pg_snapshot_xmax(pg_current_snapshot())
  )
) as ahead`

const renumber = `
with tasks as (
  update resend_tasks set tx = '${first}', done_tx = '0', done_id = '00000000-0000-0000-0000-000000000000'
  where finished_at is null and tx >= pg_snapshot_xmax(pg_current_snapshot())
)
update events set tx = '${first}' where tx >= pg_snapshot_xmax(pg_current_snapshot())`

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [found] = yield* sql.unsafe<{ readonly ahead: boolean }>(anyAhead)
    if (found?.ahead !== true) return
    yield* Effect.logWarning("The database was restored from a dump of another server: its events are put in order")
    yield* sql.withTransaction(
      // It takes as long as it takes; nobody is answered before it is done.
      Effect.andThen(sql`select set_config('statement_timeout', '0', true)`, sql.unsafe(renumber).unprepared)
    )
  }).pipe(Effect.catchTag("SqlError", duringStart))
)

/**
 * The months of the tables that are cut into months, from PostgreSQL's catalogue. Of each month the live journey of its oldest row is
 * looked up from the beginning of the month, past rows of test journeys; a month that is long over has none of those left.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { MonthList } from "../../../actors/installation/MonthList.ts"
import { JourneyId } from "../../../schema/ids.ts"
import { monthTables, type MonthTable } from "../../postgres/months.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"

/** The live journey of the oldest row in a table, or in a part of one. `isWithin` may name the column that the table is cut by. */
const oldestLive: Readonly<Record<MonthTable, (from: string, isWithin: (id: string) => string) => string>> = {
  journal: (from, isWithin) => `
    select l.journey_id from ${from} l join journeys j on j.id = l.journey_id
    where ${isWithin("l.journey_id")} and j.livemode order by l.journey_id limit 1`,
  events: (from, isWithin) => `
    select e.journey_id from ${from} e where ${isWithin("e.id")} and e.livemode order by e.id limit 1`,
  attempts: (from, isWithin) => `
    select e.journey_id from ${from} a join events e on e.id = a.event_id
    where ${isWithin("a.event_id")} and e.livemode order by a.event_id limit 1`
}

// The statistics begin anew after a crash, and say none of a table that they have not heard of since.
const sizeOf = (part: string) => `
  coalesce(nullif(pg_stat_get_live_tuples(${part}), 0), greatest((select k.reltuples from pg_class k where k.oid = ${part}), 0))::float8 as rows,
  pg_total_relation_size(${part})::float8 as bytes`

/** The whole table is asked for a month by its bounds, so that a month that is taken away meanwhile is no error. */
const monthsOf = (table: MonthTable) => `
select * from (
  select '${table}' as name, part, after_last, ${sizeOf("months.oid")}, (${oldestLive[table](table, (id) => `${id} >= begins and ${id} < after_last`)}) as oldest_live_journey
  from (
    select m.part, m.after_last, c.oid, coalesce(
      substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''([0-9a-f-]+)''\\)')::uuid, first_id_at(to_timestamp(0))
    ) as begins
    from month_parts m join pg_class c on c.relname = m.part and c.relnamespace = current_schema()::regnamespace
    where m.whole = '${table}'
  ) months order by after_last
) in_order
union all
select '${table}', '${table}_other', null, ${sizeOf(`'${table}_other'::regclass`)}, (${oldestLive[table](`${table}_other`, () => "true")})`

export const monthListStatement = monthTables.map((table) => `(${monthsOf(table)})`).join(" union all ")

const MonthRow = rowModel({
  name: column.text,
  part: column.text,
  afterLast: column.orNull(column.text),
  rows: column.number,
  bytes: column.number,
  oldestLiveJourney: column.orNull(column.id(JourneyId))
})

/** The time with which an id begins. */
const timeOf = (id: string): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)

export const layer = Layer.effect(
  MonthList,
  Effect.map(SqlClient.SqlClient, (sql) =>
    MonthList.of({
      all: Effect.map(storeRead(MonthRow.all(sql.unsafe(monthListStatement))), (months) =>
        months.map(({ afterLast, name, ...month }) => ({
          ...month,
          table: name,
          endsAt: afterLast === null ? null : timeOf(afterLast)
        }))
      )
    })
  )
)

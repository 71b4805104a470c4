/**
 * Numbers about the whole database, the same on every node: the age of the oldest due work, and what active journeys
 * wait for. They are looked up every few seconds, not when somebody reads `/metrics`. So the cost does not depend on
 * who asks, and when the database is away, `/metrics` still answers and only the age of these numbers grows.
 */
import { Clock, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { currentMeter, type Meter } from "../../actors/kernel/Meter.ts"
import { pollStatusOf } from "../../actors/kernel/PollStatus.ts"
import { waitingOn } from "../../schema/journey/steps.ts"
import { dueWork } from "../../schema/installation/metrics.ts"
import { JourneyType } from "../../schema/journey/statuses.ts"
import { oldestDueErasure, oldestDueMail, overdueWorkStatement } from "../node/health/overdueWorkStatement.ts"
import { MonthsRow, monthsStatement } from "../postgres/months.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"
import { telemetryLimits } from "./limits.ts"

const { lookEvery, looksPerCount, mostCounted } = telemetryLimits

/**
 * For each kind of work, how many seconds the oldest has been due. Work that was set aside, or whose endpoint is off,
 * is not due.
 */
const dueWorkAges = `
select work, max(age) as age from (
  select case kind when 'journey' then 'ALARM' else 'DELIVERY' end as work, age / 1000 as age from (${overdueWorkStatement}) due
  union all
  select 'MAIL', extract(epoch from now() - due_at)::float8 from (${oldestDueMail}) oldest where due_at is not null
  union all
  select 'ERASURE', extract(epoch from now() - due_at)::float8 from (${oldestDueErasure}) oldest where due_at is not null
) ages group by work`

const setAside = `
select count(*)::int as total from (
  select from journeys where set_aside_at is not null limit ${mostCounted}
) aside`

const texts = (values: ReadonlyArray<string>): string => `array['${values.join("','")}']`

/** One probe and a limited walk of the index for each combination. */
const active = `
select t.type, w.waiting_on, (
  select count(*)::int from (
    select from journeys where status = 'ACTIVE' and type = t.type and waiting_on = w.waiting_on limit ${mostCounted}
  ) counted
) as total
from unnest(${texts(JourneyType.literals)}) t (type) cross join unnest(${texts(waitingOn)}) w (waiting_on)`

const AgeRow = rowModel({ work: column.oneOf({ literals: dueWork }), age: column.number })
const TotalRow = rowModel({ total: column.number })
const CountRow = rowModel({
  type: column.oneOf(JourneyType),
  waitingOn: column.oneOf({ literals: waitingOn }),
  total: column.number
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const meter = yield* currentMeter
    const clock = yield* Clock.Clock
    const pollStatus = pollStatusOf("Numbers about the database")
    const begun = clock.currentTimeMillisUnsafe()
    let seenAt: number | null = null
    let looks = 0
    yield* meter.read("journeys_database_numbers_age_seconds", {}, () =>
      Math.max(0, (clock.currentTimeMillisUnsafe() - (seenAt ?? begun)) / 1000)
    )

    const look = Effect.gen(function* () {
      yield* lookAtDueWork(sql, meter)
      if (looks++ % looksPerCount === 0) {
        yield* countJourneys(sql, meter)
        yield* lookAtMonths(sql, meter)
      }
      seenAt = clock.currentTimeMillisUnsafe()
      yield* pollStatus.ok
    }).pipe(Effect.catchCause(pollStatus.failed))

    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(lookEvery)))
  })
)

const lookAtDueWork = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, meter: Meter) {
  const ages = yield* withStatementTimeout(AgeRow.all(sql.unsafe(dueWorkAges, [0])))
  for (const work of dueWork) {
    meter.set("journeys_due_work_age_seconds", { work }, ages.find((one) => one.work === work)?.age ?? 0)
  }
})

const countJourneys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, meter: Meter) {
  const aside = yield* withStatementTimeout(TotalRow.first(sql.unsafe(setAside)))
  meter.set("journeys_set_aside", {}, aside?.total ?? 0)
  const counts = yield* withStatementTimeout(CountRow.all(sql.unsafe(active)))
  for (const { total, type, waitingOn: waiting_on } of counts) {
    meter.set("journeys_active", { type, waiting_on }, total)
  }
})

const lookAtMonths = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, meter: Meter) {
  const tables = yield* withStatementTimeout(MonthsRow.all(sql.unsafe(monthsStatement, [mostCounted])))
  meter.set("journeys_months_ahead", {}, Math.min(...tables.map(({ ahead }) => ahead)))
  for (const { name: table, withoutMonth } of tables) meter.set("journeys_rows_without_month", { table }, withoutMonth)
})

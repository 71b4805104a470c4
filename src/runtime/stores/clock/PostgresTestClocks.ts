/**
 * Clocks of the sandbox in PostgreSQL. A clock never goes back: every write that moves it says so itself. What waits for a clock
 * is read by `PostgresClockWork.ts`.
 */
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { advanceLimits } from "../../../actors/clock/limits.ts"
import { TestClocks } from "../../../actors/journey/actor/TestClocks.ts"
import { ClockId, CompanyId } from "../../../schema/ids.ts"
import { clockLimits } from "../../../schema/requests/limits.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"

const ClockRow = rowModel({
  id: column.id(ClockId),
  companyId: column.id(CompanyId),
  now: column.millis,
  createdAt: column.millis,
  target: column.orNull(column.millis),
  isAdvancing: column.bool,
  journeys: column.number
})

/** $1: the company, $2: clocks made before then have ended, $3: the real time. */
const running = `
select k.id, k.company_id, k.at as now, k.created_at, k.target_at as target, coalesce(k.held_until > $3::timestamptz, false) as is_advancing,
  (select count(*)::int4 from journeys j where j.clock_id = k.id) as journeys
from sandbox_clocks k
where k.company_id = $1::uuid and k.ended_at is null and k.created_at > $2::timestamptz`

/**
 * Keeps others from adding a clock of the company until the transaction ends. It is a statement of its own: one that waits and counts at once
 * would count what was there before it waited.
 */
const holdCompanyStatement = "select from companies where id = $1::uuid for no key update"

const addStatement = `
insert into sandbox_clocks (id, company_id, at, created_at, fingerprint)
select $1::uuid, id, $3::timestamptz, $4::timestamptz, $6::text from companies
where id = $2::uuid and (
  select count(*) from sandbox_clocks where company_id = $2::uuid and ended_at is null and created_at > $5::timestamptz
) < ${clockLimits.mostOfCompany}
on conflict (id) do nothing
returning id`

const endStatement = `
update sandbox_clocks set ended_at = $3::timestamptz
where company_id = $1::uuid and id = $2::uuid and ended_at is null returning id`

/** A hold of the same token is this one, whose first answer was lost. */
const takeStatement = `
with taken as (
  update sandbox_clocks set held_by = $2::uuid, held_until = $3::timestamptz, target_at = $4::timestamptz
  where id = $1::uuid and ended_at is null and at <= $4::timestamptz
    and (coalesce(held_until <= $5::timestamptz, true) or held_by = $2::uuid)
  returning at
), kept as (
  insert into sandbox_clock_advances (clock_id, id, fingerprint, target_at)
  select $1::uuid, $6::uuid, $7::text, $4::timestamptz from taken where $6::uuid is not null
  on conflict (clock_id, id) do nothing
)
select at from taken`

const moveStatement = `
update sandbox_clocks set at = greatest(at, $3::timestamptz), held_until = $4::timestamptz
where id = $1::uuid and held_by = $2::uuid and ended_at is null returning at`

const letGoStatement = `
update sandbox_clocks set held_by = null, held_until = null, target_at = case when not $3::bool then target_at end
where id = $1::uuid and held_by = $2::uuid`

const IdRow = rowModel({ id: column.text })
const RequestRow = rowModel({ fingerprint: column.text })
const AdvanceRow = rowModel({ fingerprint: column.text, target: column.millis })
const TimeRow = rowModel({ at: column.millis })

const livesForMillis = Duration.toMillis(clockLimits.livesFor)
const heldForMillis = Duration.toMillis(advanceLimits.heldFor)

/** The parameters of `running`. */
const at = (companyId: CompanyId, now: number) => [companyId, new Date(now - livesForMillis), new Date(now)]

export const layer = Layer.effect(
  TestClocks,
  Effect.map(SqlClient.SqlClient, (sql) =>
    TestClocks.of({
      timeOf: (clockId) =>
        storeRead(TimeRow.first(sql`select at from sandbox_clocks where id = ${clockId}`)).pipe(
          Effect.flatMap((row) =>
            row === null ? Effect.die(new Error("a journey is on a clock that does not exist")) : Effect.succeed(row.at)
          )
        ),
      find: (companyId, clockId, now) =>
        storeRead(ClockRow.first(sql.unsafe(`${running} and k.id = $4::uuid`, [...at(companyId, now), clockId]))),
      list: (companyId, now) =>
        storeRead(ClockRow.all(sql.unsafe(`${running} order by k.created_at desc, k.id desc`, at(companyId, now)))),
      requestOf: (companyId, clockId) =>
        Effect.map(
          storeRead(
            RequestRow.first(sql`
              select coalesce(fingerprint, '') as fingerprint from sandbox_clocks
              where company_id = ${companyId} and id = ${clockId}`)
          ),
          (row) => row?.fingerprint ?? null
        ),
      add: ({ companyId, createdAt, fingerprint, id, now }) =>
        Effect.map(
          storeWrite(
            sql.withTransaction(
              Effect.andThen(
                sql.unsafe(holdCompanyStatement, [companyId]),
                IdRow.first(
                  sql.unsafe(addStatement, [
                    id,
                    companyId,
                    new Date(now),
                    new Date(createdAt),
                    new Date(createdAt - livesForMillis),
                    fingerprint
                  ])
                )
              )
            )
          ),
          (row) => row !== null
        ),
      end: (companyId, clockId, now) =>
        Effect.map(
          storeWrite(IdRow.first(sql.unsafe(endStatement, [companyId, clockId, new Date(now)]))),
          (row) => row !== null
        ),
      begunBy: (clockId, id) =>
        storeRead(
          AdvanceRow.first(sql`
            select fingerprint, target_at as target from sandbox_clock_advances where clock_id = ${clockId} and id = ${id}`)
        ),
      take: ({ clockId, token }, { keyed, target }, now) =>
        Effect.map(
          storeWrite(
            TimeRow.first(
              sql.unsafe(takeStatement, [
                clockId,
                token,
                new Date(now + heldForMillis),
                new Date(target),
                new Date(now),
                keyed?.id ?? null,
                keyed?.fingerprint ?? null
              ])
            )
          ),
          (row) => row?.at ?? null
        ),
      moveTo: ({ clockId, token }, to, now) =>
        Effect.map(
          storeWrite(
            TimeRow.first(sql.unsafe(moveStatement, [clockId, token, new Date(to), new Date(now + heldForMillis)]))
          ),
          (row) => row !== null
        ),
      letGo: ({ clockId, token }, reached) =>
        Effect.asVoid(storeWrite(sql.unsafe(letGoStatement, [clockId, token, reached])))
    })
  )
)

/**
 * The statements that find what is due and not done, over all nodes. Mail and erasures have
 * one each of their own. The other finds journeys whose alarm has passed, and for every endpoint
 * that is on the delivery at the front of its queue. A journey that was set aside waits for a person and is left out. It
 * costs one probe of an index for each row.
 */
import { Duration } from "effect"
import { customerErasureLimits } from "../../../actors/erasure/limits.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { healthLimits } from "./limits.ts"

const { mostOverdueRows } = healthLimits

/**
 * One row for each due thing. `mark` changes as soon as anything was done about the thing. `age` counts the milliseconds
 * since the thing became due.
 */
export const OverdueRow = rowModel({
  kind: column.oneOf({ literals: ["journey", "endpoint"] }),
  id: column.text,
  mark: column.text,
  age: column.number
})
export type OverdueRow = RowOf<typeof OverdueRow>

/** The parameter $1: milliseconds that a thing must have been due to be listed. `clock`: SQL of the time by which it is due. */
const overdueBy = (clock: string) => `
with recursive overdue as (
  select ${clock} as now, ${clock} - $1::float8 * interval '1 millisecond' as before
), front as (
  (select endpoint_id, due_at, event_id from deliveries where due_at is not null order by endpoint_id, due_at, event_id limit 1)
  union all
  select n.endpoint_id, n.due_at, n.event_id from front, lateral (
    select endpoint_id, due_at, event_id from deliveries
    where due_at is not null and endpoint_id > front.endpoint_id order by endpoint_id, due_at, event_id limit 1
  ) n
)
(
  select 'journey' as kind, id::text as id, wake_at::text as mark,
    (extract(epoch from overdue.now - wake_at) * 1000)::float8 as age
  from journeys, overdue where wake_at <= before and set_aside_at is null order by wake_at limit ${mostOverdueRows}
)
union all
(
  select 'endpoint', f.endpoint_id::text, f.due_at::text || ' ' || f.event_id,
    (extract(epoch from overdue.now - f.due_at) * 1000)::float8
  from front f cross join overdue join webhook_endpoints w on w.id = f.endpoint_id and w.enabled
  where f.due_at <= before order by f.due_at limit ${mostOverdueRows}
)`

export const overdueWorkStatement = overdueBy("now()")

/**
 * What is due by the database's clock and by the clock of a node ($2): a node whose clock is behind does what is due when its own clock
 * says so, and is not stuck before.
 */
export const overdueOfNodeStatement = overdueBy("least(now(), $2::timestamptz)")

/** When the mail that has been due for longest became due, in one row; null while none is due. One probe of an index for each company that owes any. */
export const oldestDueMail = `
with recursive first_of_company as (
  (select company_id, due_at from mails where due_at is not null order by company_id, due_at limit 1)
  union all
  select n.company_id, n.due_at from first_of_company o, lateral (
    select company_id, due_at from mails
    where due_at is not null and company_id > o.company_id order by company_id, due_at limit 1
  ) n
)
select min(due_at) as due_at from first_of_company where due_at <= now()`

/**
 * The same of erasures: one is due when it is asked for, and once more when what was being written at that time is settled. Of very many
 * only those count that were asked for first.
 */
export const oldestDueErasure = `
select min(due_at) as due_at from (
  select coalesce(erased_at + interval '${Duration.toSeconds(customerErasureLimits.settledAfter)} seconds', requested_at) as due_at
  from erasures where finished_at is null order by requested_at limit ${mostOverdueRows}
) unfinished where due_at <= now()`

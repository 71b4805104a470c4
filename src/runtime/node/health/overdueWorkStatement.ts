/**
 * What is due and not done, over all nodes: journeys whose alarm has passed, and of every endpoint that is on the
 * delivery at the front of its queue. What was set aside waits for somebody else. Costs a probe of an index a row.
 */

/** Rows at most of each kind; the oldest stand first, and they are what tells whether anything moves. */
export const rowsAtMost = 500

/** One row a due thing; `mark` is another one as soon as anything was done about it. */
export interface OverdueRow {
  readonly kind: "journey" | "endpoint"
  readonly id: string
  readonly mark: string
  /** Milliseconds since it became due, by the database's clock. */
  readonly age: number
}

/** Its parameter: milliseconds a thing must have been due to be listed; what is younger is being done. */
export const overdueWorkStatement = `
with recursive overdue as (
  select now() - $1::float8 * interval '1 millisecond' as before
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
    (extract(epoch from now() - wake_at) * 1000)::float8 as age
  from journeys, overdue where wake_at <= before and set_aside_at is null order by wake_at limit ${rowsAtMost}
)
union all
(
  select 'endpoint', f.endpoint_id::text, f.due_at::text || ' ' || f.event_id,
    (extract(epoch from now() - f.due_at) * 1000)::float8
  from front f cross join overdue join webhook_endpoints w on w.id = f.endpoint_id and w.enabled
  where f.due_at <= before order by f.due_at limit ${rowsAtMost}
)`

/**
 * The statements of deliveries under way, for any number of them at once: constant text, prepared once, arrays in. What
 * writes a delivery in the first place is the commit of its event (`journeyParts.ts`).
 */

const deliveryColumns = `d.endpoint_id, d.event_id, d.attempts, d.tries, d.trigger, d.due_at,
  e.journey_id, e.sequence, e.type, e.body, e.created_at, e.traceparent`

/** What is due of each asked endpoint, from a place in its queue on, oldest first. */
export const dueStatement = `
select ${deliveryColumns}
from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::uuid[], $5::int4[])
    with ordinality as a (endpoint_id, now, after_due, after_id, most, place)
  cross join lateral (
    select * from deliveries
    where endpoint_id = a.endpoint_id and due_at is not null and due_at <= a.now
      and (due_at, event_id) > (a.after_due, a.after_id)
    order by due_at, event_id limit a.most
  ) d
  join events e on e.id = d.event_id
order by a.place, d.due_at, d.event_id`

export const oneStatement = `
select ${deliveryColumns}
from deliveries d join events e on e.id = d.event_id
where d.endpoint_id = $1 and d.event_id = $2`

const isResentMeanwhile = `(d.trigger = 'RESEND' and d.due_at is not null and r.trigger <> 'RESEND')`
const isDecidedOnAnother = `(d.attempts <> r.attempts or d.status = 'PARKED')`

export const endpointsStatement = `select * from webhook_endpoints where id = any($1::uuid[])`

/**
 * Attempts into the log, their deliveries after them. The number of attempts says which state of a delivery an outcome
 * was decided on: of an outcome decided on another one only the success counts, besides being logged. An outcome that
 * is written a second time, because nobody knew of the first, is known by its time and left out. What was parked in the
 * meantime stays parked, unless it arrived; what its owner had sent again in the meantime is sent again.
 */
export const recordStatement = `
with r as (
  select * from unnest(
    $1::uuid[], $2::uuid[], $3::int4[], $4::timestamptz[], $5::int4[], $6::text[], $7::int4[], $8::text[], $9::text[],
    $10::bool[], $11::int4[], $12::timestamptz[]
  ) as t (endpoint_id, event_id, attempts, at, duration_millis, trigger, http_status, error, answer, delivered, tries, due_at)
), u as (
  update deliveries d set
    attempts = d.attempts + 1,
    last_at = r.at,
    status = case
      when ${isResentMeanwhile} then d.status
      when r.delivered then 'DELIVERED'
      when ${isDecidedOnAnother} then d.status
      when r.due_at is null then 'GIVEN_UP' else 'PENDING' end,
    due_at = case
      when ${isResentMeanwhile} then d.due_at
      when r.delivered then null
      when ${isDecidedOnAnother} then d.due_at else r.due_at end,
    tries = case when ${isResentMeanwhile} or d.attempts <> r.attempts then d.tries else r.tries end,
    trigger = case when ${isResentMeanwhile} then d.trigger else 'SCHEDULE' end,
    delivered_at = case when r.delivered then coalesce(d.delivered_at, r.at) else d.delivered_at end
  from r
  where d.endpoint_id = r.endpoint_id and d.event_id = r.event_id
    and (d.attempts = r.attempts or (
      -- The row's own memory is looked at under its lock, the log's knows of older ones.
      d.last_at is distinct from r.at
      and not exists (select from attempts a where a.event_id = r.event_id and a.number > r.attempts and a.at = r.at)
    ))
  returning d.event_id, d.attempts as number
)
insert into attempts (event_id, number, at, duration_millis, trigger, http_status, error, answer)
select r.event_id, u.number, r.at, r.duration_millis, r.trigger, r.http_status, r.error, r.answer
from r join u using (event_id)`

/** An endpoint's health, unless it was saved in between; with the mail that this makes the service owe. */
export const healthStatement = `
with u as (
  update webhook_endpoints set
    failing_since = $3::timestamptz, last_failed_at = $4::timestamptz, warnings = $5::int4,
    enabled = enabled and $6::timestamptz is null,
    off_reason = case when enabled and $6::timestamptz is not null then 'UNREACHABLE' else off_reason end,
    off_since = case when enabled and $6::timestamptz is not null then $6::timestamptz else off_since end
  where id = $1::uuid and revision = $2::int4 and removed_at is null
  returning id, company_id
)
insert into mails (id, cause, kind, company_id, facts, created_at, due_at)
select $7::uuid, $8::text, $9::text, u.company_id, $10::json, $11::timestamptz, $11::timestamptz
from u where $7::uuid is not null
on conflict (cause) do nothing`

/** How many are parked by one statement: few enough to be quick, however many are pending. */
const parkedAtOnce = 1000

/** An endpoint that was turned on again a moment ago keeps what is pending. */
export const parkStatement = `
with picked as (
  select endpoint_id, event_id from deliveries where endpoint_id = $1 and due_at is not null
    and not exists (select from webhook_endpoints w where w.id = $1 and w.enabled)
  order by due_at, event_id limit ${parkedAtOnce}
  for update
)
update deliveries d set status = 'PARKED', due_at = null
from picked where d.endpoint_id = picked.endpoint_id and d.event_id = picked.event_id
returning d.event_id`

/** Events looked at by one statement of a resend. */
const eventsPerResend = 500
/** While this many of a resend are still waiting to be sent it goes no further: new events must not queue behind it. */
const mostWaitingOfResend = 500

/**
 * The next piece of the endpoint's oldest running resend. Only events of finished transactions are looked at, in the
 * order they became visible, so that none is passed by. A task that found nothing more is finished.
 */
export const resendStatement = `
with task as (
  select t.*, w.company_id, w.livemode, w.events as selected, w.enabled
  from resend_tasks t join webhook_endpoints w on w.id = t.endpoint_id
  where t.endpoint_id = $1::uuid and t.finished_at is null order by t.created_at limit 1
  for update of t
), room as (
  select task.id from task
  where (
    select count(*) from (
      select from deliveries where task_id = task.id and status = 'PENDING' limit ${mostWaitingOfResend}
    ) waiting
  ) < ${mostWaitingOfResend}
), looked as (
  select e.id, e.tx, e.type, e.journey_id, e.sequence, e.created_at
  from task join room on room.id = task.id cross join lateral (
    select * from events e
    where e.company_id = task.company_id and e.livemode = task.livemode
      and (e.tx, e.id) > (task.done_tx, task.done_id) and e.tx < pg_snapshot_xmin(pg_current_snapshot())
      and e.created_at <= task.created_at
    order by e.tx, e.id limit ${eventsPerResend}
  ) e
), wanted as (
  select l.id from looked l cross join task
  where l.created_at >= task.since and (task.journey_id is null or l.journey_id = task.journey_id)
    and case when task.types is null then task.selected && array['*', l.type, split_part(l.type, '.', 1) || '.*']
      else l.type = any(task.types) end
    -- A ping or a sample is of no journey, and nobody misses it.
    and l.sequence > 0
), put as (
  insert into deliveries as d (endpoint_id, event_id, status, trigger, due_at, task_id)
  select task.endpoint_id, wanted.id, case when task.enabled then 'PENDING' else 'PARKED' end, 'RESEND',
    case when task.enabled then $2::timestamptz end, task.id
  from wanted cross join task order by wanted.id
  on conflict (endpoint_id, event_id) do update set
    status = excluded.status, trigger = excluded.trigger, due_at = excluded.due_at, task_id = excluded.task_id, tries = 0
  where d.status in ('GIVEN_UP', 'PARKED') or (d.status = 'DELIVERED' and (select delivered from task))
  returning 1
), reached as (
  select tx, id from looked order by tx desc, id desc limit 1
), moved as (
  update resend_tasks t set
    done_tx = coalesce((select tx from reached), t.done_tx),
    done_id = coalesce((select id from reached), t.done_id),
    queued = t.queued + (select count(*) from put),
    -- An event older than the task may still be on its way into view.
    finished_at = case
      when (select count(*) from looked) < ${eventsPerResend} and t.tx < pg_snapshot_xmin(pg_current_snapshot())
      then $2::timestamptz end
  from room where t.id = room.id
)
select
  (select count(*) from looked) = ${eventsPerResend} as more_now,
  exists (select from task) as is_running`

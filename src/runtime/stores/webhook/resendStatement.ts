/**
 * The statement that carries a resend of many events on, piece by piece. Who may start a resend, and what a resend came
 * to, is in `PostgresDeliveryLog.ts`.
 */
import { column, rowModel } from "../../postgres/rows.ts"
import { storeLimits } from "../kernel/limits.ts"

const { eventsPerResend, waitingOfResend } = storeLimits

/** `moreNow`: there is more to look at. `isRunning`: the endpoint has a resend that is not finished. */
export const ResendRow = rowModel({ moreNow: column.bool, isRunning: column.bool })

/**
 * The next piece of the oldest running resend of an endpoint ($1), at a time ($2). The statement looks only at events of
 * finished transactions, in the order in which they became visible, so that it misses no event. A task that finds nothing
 * more is finished.
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
      select from deliveries where task_id = task.id and status = 'PENDING' limit ${waitingOfResend}
    ) waiting
  ) < ${waitingOfResend}
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

/**
 * The statements with which an endpoint's owner reads the delivery log, sends events again and tests the endpoint. The
 * statements that make a delivery, and those that work it off, are in `journeyParts.ts` and `deliveryStatements.ts`.
 */
import type { WebhookDeliveryStatus } from "../../../schema/WebhookDeliveryStatus.ts"
import { lineAndNotice, lineOfChange } from "../kernel/auditedChange.ts"
import { storeLimits } from "../kernel/limits.ts"
import type { JourneyId } from "../../../schema/ids.ts"

const { attemptsInList, attemptsOfOneDelivery, deliveriesLookedAt } = storeLimits

/** A delivery with its attempts, one row for each attempt, from deliveries `d` and their events `e`. */
const logColumns = `d.event_id, d.status, coalesce(d.due_at, d.clock_due_at) as due_at, e.type, e.sequence, e.created_at,
  case when e.sequence > 0 then e.journey_id end as journey_id,
  a.number, a.at, a.duration_millis, a.trigger, a.http_status, a.error, a.answer, a.signature`

const withAttempts = (most: number) => `
  left join lateral (select * from attempts where event_id = d.event_id order by number desc limit ${most}) a on true`

/** The part of a list's query that changes the statement. */
interface Asked {
  readonly status: WebhookDeliveryStatus | null
  readonly type: string | null
  readonly journeyId: JourneyId | null
}

/**
 * Where a list reads, so that it is quick in a long log whatever the planner assumes. A status stands in the text and not in
 * a parameter: PostgreSQL uses an index of some statuses only when the plan knows which status is asked for.
 */
const sourceOf = ({ journeyId, status }: Asked): string => {
  if (journeyId !== null) return "from of_journey where true"
  switch (status) {
    case "PENDING":
    case "GIVEN_UP":
    case "PARKED":
      return `from deliveries where endpoint_id = asked.endpoint_id and status = '${status}'`
    case "DELIVERED":
    case null:
      return "from deliveries where endpoint_id = asked.endpoint_id"
  }
}

/** Whether the rows that were read still have to pass a filter. */
const isFiltered = ({ journeyId, status, type }: Asked): boolean =>
  type !== null || status === "DELIVERED" || (journeyId !== null && status !== null)

/**
 * One page of the log of an endpoint ($1), newest first: $3 deliveries before an event ($2), of a type ($4) and of a journey
 * ($5) where the query names them. Every row says how many deliveries were looked at, and which was the last of them. The
 * answer has at least one row.
 */
export const listStatement = (asked: Asked): string => `
with asked as (
  select $1::uuid as endpoint_id, $2::uuid as before, $3::int4 as size, $4::text as type, $5::uuid as journey_id
), of_journey as materialized (
  select d.* from asked
  join events e on e.journey_id = asked.journey_id and e.sequence > 0
  join deliveries d on d.endpoint_id = asked.endpoint_id and d.event_id = e.id
), looked as materialized (
  select d.* from asked cross join lateral (
    select * ${sourceOf(asked)} and event_id < asked.before
    order by event_id desc limit ${isFiltered(asked) ? deliveriesLookedAt : "asked.size"}
  ) d
), found as (
  select d.* from asked cross join looked d join events e on e.id = d.event_id
  where true ${asked.type === null ? "" : "and e.type = asked.type"}
    ${asked.status === null ? "" : `and d.status = '${asked.status}'`}
  order by d.event_id desc limit (select size from asked)
)
select l.looked, l.reached, ${logColumns}
from (
  select (select count(*)::int4 from looked) as looked, (select event_id from looked order by event_id limit 1) as reached
) l
left join (found d join events e on e.id = d.event_id ${withAttempts(attemptsInList)}) on true
order by d.event_id desc, a.number`

/** Whether the statement stopped looking before the log ended. */
export const endedEarly = (asked: Asked, looked: number): boolean => isFiltered(asked) && looked === deliveriesLookedAt

export const findStatement = `
select ${logColumns}, e.body
from deliveries d join events e on e.id = d.event_id ${withAttempts(attemptsOfOneDelivery)}
where d.endpoint_id = $1::uuid and d.event_id = $2::uuid
order by a.number`

/** An event that has no delivery, because the endpoint did not want it when it was made, gets one (W9). */
export const resendOneStatement = `
with changed as (
  insert into deliveries (endpoint_id, event_id, status, trigger, due_at)
  select $7::uuid, e.id, 'PENDING', 'RESEND', $5::timestamptz from events e
  where e.id = $6::uuid and e.company_id = $1::uuid and e.livemode = $8::boolean and e.created_at >= $9::timestamptz
  on conflict (endpoint_id, event_id) do update set
    status = excluded.status, trigger = excluded.trigger, due_at = excluded.due_at, tries = 0
  returning *
), ${lineAndNotice}
select ${logColumns}
from changed d join events e on e.id = d.event_id ${withAttempts(attemptsOfOneDelivery)}
order by a.number`

/** A test event belongs to no journey: its own id stands in for the journey's, and its number is 0. */
export const addTestStatement = `
with w as (
  select id, company_id, livemode, enabled from webhook_endpoints where id = $6::uuid and removed_at is null
), changed as (
  insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
  select $7::uuid, 0, $7::uuid, w.company_id, w.livemode, $8::text, $9::text, $10::timestamptz from w
  returning id
), d as (
  insert into deliveries (endpoint_id, event_id, status, trigger, due_at)
  select w.id, changed.id, case when w.enabled then 'PENDING' else 'PARKED' end, 'TEST',
    case when w.enabled then $11::timestamptz end
  from changed cross join w
), ${lineOfChange}
select from line`

/** The counted attempts of an endpoint ($1) from an hour on ($2): some dozens of rows an hour, however many attempts. */
export const countsStatement = `
select hour, step, delivered, failed from endpoint_hours
where endpoint_id = $1::uuid and hour >= $2::timestamptz order by hour, step`

/** How many deliveries of an endpoint ($1) wait, and when the oldest of their events happened. */
export const pendingStatement = `
with waiting as materialized (
  select event_id from deliveries where endpoint_id = $1::uuid and due_at is not null
)
select (select count(*)::int4 from waiting) as pending, (
  select e.created_at from (select event_id from waiting order by event_id limit 1) oldest
  join events e on e.id = oldest.event_id
) as oldest_pending_at`

/** A task as its owner reads it, without the place that the resend has come to. */
const taskColumns = "t.id, t.since, t.types, t.journey_id, t.delivered, t.queued, t.created_at, t.finished_at"

/** An endpoint has one running task at a time: the index of running tasks is unique. */
export const startResendStatement = `
with changed as (
  insert into resend_tasks (endpoint_id, id, since, types, journey_id, delivered, created_at)
  values ($6::uuid, $7::uuid, $8::timestamptz, $9::text[], $10::uuid, $11::boolean, $12::timestamptz)
  on conflict (endpoint_id) where finished_at is null do nothing
  returning *
), ${lineAndNotice}
select ${taskColumns}, null::json as counts from changed t`

const counted = `
  cross join lateral (
    select json_object_agg(status, deliveries) as counts from (
      select status, count(*)::int4 as deliveries from deliveries where task_id = t.id group by status
    ) c
  ) c`

export const taskStatement = `
select ${taskColumns}, c.counts from resend_tasks t ${counted}
where t.endpoint_id = $1::uuid and t.id = $2::uuid`

/** One page. Every row has the number of all tasks; a page past the end has one row without a task. */
export const tasksStatement = `
with page as (
  select * from resend_tasks where endpoint_id = $1::uuid order by created_at desc, id desc limit $2::int4 offset $3::int4
)
select n.total, ${taskColumns}, c.counts
from (select count(*)::int4 as total from resend_tasks where endpoint_id = $1::uuid) n
left join (page t ${counted}) on true
order by t.created_at desc, t.id desc`

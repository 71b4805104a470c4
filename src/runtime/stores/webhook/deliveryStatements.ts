/**
 * The statements of deliveries under way: what is due, and what became of attempts, for any number of endpoints at once.
 * They are constant text, prepared once. A delivery's row is first written by the commit of its event
 * (`journeyParts.ts`), and sent again by `resendStatement.ts`.
 */
import type { DueAsk } from "../../../actors/webhook/actor/WebhookDeliveryStore.ts"
import type { WebhookAttemptOutcome } from "../../../actors/webhook/rules/attemptOutcome.ts"
import { timeStepOf } from "../../../actors/webhook/rules/attemptStatistics.ts"
import { AttemptTrigger } from "../../../schema/webhook/WebhookDelivery.ts"
import { batchSource, batchStatement, eachItem } from "../../postgres/batchStatement.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeLimits } from "../kernel/limits.ts"
import { EndpointId, EventId, JourneyId } from "../../../schema/ids.ts"
import { smallestId } from "../../../schema/uuid.ts"

const dueColumns = {
  eventId: column.id(EventId),
  dueAt: column.orNull(column.millis),
  // Not one of the catalogue: a newer version may have written an event that this version does not know.
  type: column.text,
  body: column.text,
  createdAt: column.millis,
  traceparent: column.orNull(column.text),
  journeyId: column.id(JourneyId),
  sequence: column.number,
  attempts: column.number,
  tries: column.number,
  trigger: column.oneOf(AttemptTrigger)
}

/** A delivery to an endpoint that is known. */
export const DeliveryRow = rowModel(dueColumns)

/** A delivery of one of many endpoints. */
export const DueRow = rowModel({ ...dueColumns, endpointId: column.id(EndpointId) })

const deliveryColumns = `d.endpoint_id, d.event_id, d.attempts, d.tries, d.trigger, d.due_at,
  e.journey_id, e.sequence, e.type, e.body, e.created_at, e.traceparent`

/** Before every delivery that there can be. */
const first = { dueAt: Date.UTC(1, 0, 1), eventId: smallestId }

/** What is due of each asked endpoint, from a place in its queue on, oldest first. */
export const dueStatement = batchStatement(
  {
    asks: batchSource(eachItem<DueAsk>, {
      endpointId: ["uuid", ({ endpointId }) => endpointId],
      now: ["timestamptz", ({ now }) => now],
      afterDue: ["timestamptz", ({ after }) => (after ?? first).dueAt],
      afterId: ["uuid", ({ after }) => (after ?? first).eventId],
      most: ["int4", ({ limit }) => limit]
    })
  },
  ({ asks }) => `
select ${deliveryColumns}
from (${asks}) a
  cross join lateral (
    select * from deliveries
    where endpoint_id = a.endpoint_id and due_at is not null and due_at <= a.now
      and (due_at, event_id) > (a.after_due, a.after_id)
    order by due_at, event_id limit a.most
  ) d
  join events e on e.id = d.event_id
order by d.due_at, d.event_id`
)

export const oneStatement = `
select ${deliveryColumns}
from deliveries d join events e on e.id = d.event_id
where d.endpoint_id = $1 and d.event_id = $2`

export const endpointsStatement = `select * from webhook_endpoints where id = any($1::uuid[])`

/** What text columns cannot hold: U+0000, and halves of surrogate pairs. */
const storable = (text: string): string => text.replaceAll("\u0000", "\ufffd").toWellFormed()

const isResentMeanwhile = `(d.trigger = 'RESEND' and d.due_at is not null and r.trigger <> 'RESEND')`
const isDecidedOnAnother = `(d.attempts <> r.attempts or d.status = 'PARKED')`

/**
 * Writes attempts into the log and the counts of their hours, and then their deliveries. The number of attempts says which state of a delivery an outcome
 * was decided on. Of an outcome that was decided on another state only a success counts, besides being logged. An outcome
 * that is written a second time, because nobody heard of the first, is recognised by its time and left out. A delivery
 * that was parked in the meantime stays parked unless it arrived. A delivery that its owner had sent again in the meantime
 * is sent again. The retry of a delivery whose journey is on a test clock waits for a time of the clock.
 */
export const recordStatement = batchStatement(
  {
    outcomes: batchSource(eachItem<WebhookAttemptOutcome>, {
      endpointId: ["uuid", ({ endpointId }) => endpointId],
      eventId: ["uuid", ({ delivery }) => delivery.eventId],
      attempts: ["int4", ({ delivery }) => delivery.attempts],
      at: ["timestamptz", ({ at }) => at],
      durationMillis: ["int4", ({ durationMillis }) => durationMillis],
      trigger: ["text", ({ delivery }) => delivery.trigger],
      httpStatus: ["int4", ({ httpStatus }) => httpStatus],
      error: ["text", ({ error }) => error],
      answer: ["text", ({ answer }) => (answer === null ? null : storable(answer))],
      signature: ["text", ({ signature }) => signature],
      counted: ["bool", ({ counted }) => counted],
      step: ["int4", timeStepOf],
      delivered: ["bool", ({ delivered }) => delivered],
      tries: ["int4", ({ tries }) => tries],
      dueAt: ["timestamptz", ({ dueAt }) => dueAt],
      delayMillis: ["int4", ({ delayMillis }) => delayMillis]
    })
  },
  ({ outcomes }) => `
with r as (${outcomes}
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
      when ${isDecidedOnAnother} then d.due_at
      when d.clock_id is null then r.due_at end,
    clock_due_at = case
      when d.clock_id is null or r.delivered then null
      when ${isResentMeanwhile} or ${isDecidedOnAnother} then d.clock_due_at
      -- The delay of the schedule, counted from the end of the attempt, by the clock.
      else (select k.at from sandbox_clocks k where k.id = d.clock_id)
        + r.delay_millis * interval '1 millisecond' end,
    tries = case when ${isResentMeanwhile} or d.attempts <> r.attempts then d.tries else r.tries end,
    trigger = case when ${isResentMeanwhile} then d.trigger else 'SCHEDULE' end,
    delivered_at = case when r.delivered then coalesce(d.delivered_at, r.at) else d.delivered_at end
  from r
  where d.endpoint_id = r.endpoint_id and d.event_id = r.event_id
    and (d.attempts = r.attempts or (
      -- The row remembers its last attempt and is read under its lock; the log knows of the older ones.
      d.last_at is distinct from r.at
      and not exists (select from attempts a where a.event_id = r.event_id and a.number > r.attempts and a.at = r.at)
    ))
  returning d.event_id, d.attempts as number
), counted as (
  -- In one order, so that two statements never wait for each other.
  insert into endpoint_hours as h (endpoint_id, hour, step, delivered, failed)
  select r.endpoint_id, date_trunc('hour', r.at, 'UTC'), r.step,
    count(*) filter (where r.delivered), count(*) filter (where not r.delivered)
  from r join u using (event_id) where r.counted group by 1, 2, 3 order by 1, 2, 3
  on conflict (endpoint_id, hour, step) do update set
    delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed
)
insert into attempts (event_id, number, at, duration_millis, trigger, http_status, error, answer, signature)
select r.event_id, u.number, r.at, r.duration_millis, r.trigger, r.http_status, r.error, r.answer, r.signature
from r join u using (event_id)`
)

/** An endpoint that was turned on again a moment ago keeps what is pending. */
export const parkStatement = `
with picked as (
  select endpoint_id, event_id from deliveries where endpoint_id = $1 and due_at is not null
    and not exists (select from webhook_endpoints w where w.id = $1 and w.enabled)
  order by due_at, event_id limit ${storeLimits.deliveriesParkedAtOnce}
  for update
)
update deliveries d set status = 'PARKED', due_at = null
from picked where d.endpoint_id = picked.endpoint_id and d.event_id = picked.event_id
returning d.event_id`

/**
 * Checks what must be true of every delivery in a database, whatever was done to the service (INV-4, INV-5, INV-11 and
 * INV-15). The tests compare what arrived at receivers.
 */
import { mostAttempts } from "../../src/actors/webhook/rules/backoff.ts"
import { retryDelaysMillis } from "../../src/actors/webhook/rules/backoff.ts"

type Query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

/** Each statement returns one row for each violation. */
const wrongs: ReadonlyArray<string> = [
  // INV-5, for endpoints that were saved once: after a second save nobody knows which events the endpoint wanted
  // before. An event is made before it is committed, so an event that was made a while after the endpoint's commit was
  // made when the endpoint existed.
  `select 'event without the delivery that its endpoint wanted: ' || e.id as what
   from events e join webhook_endpoints w using (company_id, livemode)
   where w.revision = 1 and w.removed_at is null and e.sequence > 0
     and e.created_at > w.created_at + interval '1 second'
     and w.events && array['*', e.type, split_part(e.type, '.', 1) || '.*']
     and not exists (select from deliveries d where d.endpoint_id = w.id and d.event_id = e.id)`,
  // INV-4
  `select 'delivery of no event: ' || event_id from deliveries d
   where not exists (select from events e where e.id = d.event_id)`,
  `select 'attempt of no delivery: ' || event_id from attempts a
   where not exists (select from deliveries d where d.event_id = a.event_id)`,
  // INV-11
  `select 'delivery to an endpoint of another company or mode: ' || d.event_id
   from deliveries d join events e on e.id = d.event_id left join webhook_endpoints w on w.id = d.endpoint_id
   where w.id is null or (w.company_id, w.livemode) <> (e.company_id, e.livemode)`,
  `select 'delivery that is ' || status || ' and its times do not say so: ' || event_id from deliveries
   where (status = 'PENDING') <> (due_at is not null) or (status = 'DELIVERED' and delivered_at is null)`,
  `select 'attempts are not numbered from 1 without gaps: ' || d.event_id
   from deliveries d left join lateral (
     select count(*) as lines, coalesce(max(number), 0) as last, coalesce(min(number), 1) as first
     from attempts where event_id = d.event_id
   ) a on true
   where (a.lines, a.last, a.first) <> (d.attempts, d.attempts, 1)`,
  `select 'delivered without an answer that says so: ' || event_id from deliveries d
   where status = 'DELIVERED'
     and not exists (select from attempts a where a.event_id = d.event_id and a.http_status between 200 and 299)`,
  // INV-15
  `select 'more tries than there are: ' || event_id from deliveries where tries not between 0 and ${mostAttempts}`,
  `select 'given up early: ' || event_id from deliveries where status = 'GIVEN_UP' and tries < ${mostAttempts}`,
  // Only deliveries whose attempts all belong to the schedule. Other attempts have times of their own.
  `select 'attempt ' || number || ' came too early: ' || event_id
   from (
     select a.event_id, a.number, a.at,
       lag(a.at + a.duration_millis * interval '1 millisecond') over (partition by a.event_id order by a.number) as before
     from attempts a join deliveries d using (event_id)
     where d.attempts = d.tries
       and not exists (select from attempts o where o.event_id = a.event_id and o.trigger <> 'SCHEDULE')
   ) a
   where number > 1 and at < before + (array[${retryDelaysMillis.join()}]::int8[])[number - 1] * interval '1 millisecond'`
]

/** What is wrong with the deliveries of a whole database, in words. */
export const deliveryInconsistencies = async (query: Query): Promise<ReadonlyArray<string>> =>
  (await query<{ readonly what: string }>(wrongs.join("\nunion all\n"))).map(({ what }) => what)

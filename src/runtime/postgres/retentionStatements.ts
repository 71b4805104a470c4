/** The statements that delete what the sandbox has kept long enough, whole journeys with everything that is theirs. */
import { journeyTables } from "./erasureStatements.ts"

/** Journeys in one statement, of each company. */
const journeysAtOnce = 20

/** Test journeys started before $1, the oldest of each company; answers with those that are gone. */
export const removeTestDataStatement = `
with old as materialized (
  select j.* from companies c cross join lateral (
    select id, company_id, customer_id from journeys
    where company_id = c.id and not livemode and created_at < $1::timestamptz
    order by created_at limit ${journeysAtOnce}
  ) j
), their_events as materialized (
  select e.id, w.id as endpoint_id from old join events e on e.journey_id = old.id
  left join webhook_endpoints w on w.company_id = e.company_id and w.livemode = e.livemode
), attempts_gone as (
  delete from attempts where event_id in (select id from their_events)
), deliveries_gone as (
  delete from deliveries d using their_events e where d.endpoint_id = e.endpoint_id and d.event_id = e.id
), ${[...journeyTables, "events", "journal", "mails", "vehicle_sales"]
  .map((table) => `${table}_gone as (delete from ${table} where journey_id in (select id from old))`)
  .join(", ")},
customers_gone as (
  delete from customers c where c.id in (select customer_id from old) and not exists (
    select from journeys j where j.customer_id = c.id and j.id not in (select id from old)
  )
)
delete from journeys where id in (select id from old) returning id`

/**
 * The statements that erase a customer ($1 company, $2 customer). Which tables hold what a customer's key has sealed, or
 * lead to it, is listed here; a test finds a sealed column that is not.
 */
import { auditLineStatement } from "./auditedChange.ts"

/** Rows of a journey that are the customer's; those of `video_chunks` go first, by themselves. */
export const journeyTables = [
  "personal_records",
  "customer_photos",
  "delivery_addresses",
  "identity_checks",
  "identity_attempts",
  "sign_in_links",
  "customer_sessions"
]

/** After the five parameters of a change: the customer. */
export const beginStatement = `
with changed as (
  insert into erasures (company_id, customer_id, requested_at)
  select $1::uuid, $6::uuid, $5::timestamptz
  where exists (select from customers where company_id = $1::uuid and id = $6::uuid)
    or exists (select from journeys where company_id = $1::uuid and customer_id = $6::uuid)
  on conflict do nothing
  returning *
), line as (${auditLineStatement})
select * from changed
union all select * from erasures where company_id = $1::uuid and customer_id = $6::uuid`

export const runningStatement = `
select id, livemode from journeys where company_id = $1::uuid and customer_id = $2::uuid and status = 'ACTIVE'`

/** The key itself: from here on nothing that it sealed can be opened. */
export const dropKeyStatement = "delete from customers where company_id = $1::uuid and id = $2::uuid"

/** Parts of videos are many and large: some at a time, so that no statement takes long. */
const partsAtOnce = 32
export const dropPartsStatement = `
delete from video_chunks where (upload_id, number) in (
  select c.upload_id, c.number from video_chunks c join video_uploads u on u.id = c.upload_id
  where u.customer_id = $2::uuid and $1::uuid is not null limit ${partsAtOnce}
) returning number`

/** Everything else, with the time ($3). What is not sent by now is not sent any more. */
export const dropRowsStatement = `
with mine as materialized (
  select id from journeys where company_id = $1::uuid and customer_id = $2::uuid
), ${journeyTables.map((table) => `${table}_gone as (delete from ${table} where journey_id in (select id from mine))`).join(", ")},
uploads_gone as (
  delete from video_uploads where customer_id = $2::uuid
), notes_gone as (
  update journal set sealed_note = null where journey_id in (select id from mine) and sealed_note is not null
), mails_gone as (
  update mails set sealed = null, to_index = null, due_at = null,
    struck_off_at = case when due_at is null then struck_off_at else $3::timestamptz end
  where journey_id in (select id from mine) and (sealed is not null or to_index is not null or due_at is not null)
)
update erasures set erased_at = coalesce(erased_at, $3::timestamptz)
where company_id = $1::uuid and customer_id = $2::uuid returning *`

export const finishStatement = `
update erasures set finished_at = $3::timestamptz where company_id = $1::uuid and customer_id = $2::uuid returning *`

const tasksAtOnce = 20
/** $1: erased before then, what was being written is settled. */
export const unfinishedStatement = `
select * from erasures where finished_at is null and (erased_at is null or erased_at <= $1::timestamptz)
order by requested_at limit ${tasksAtOnce}`

/**
 * The statements that delete what has been kept long enough: of the sandbox whole journeys with everything that is theirs,
 * of live journeys the photos and, with `videoStatements.ts`, the videos; old links and sessions; and the content of mail that is kept here.
 */
import { isUnderReview, isVerified } from "./attemptStatements.ts"
import { journeyTables } from "./PostgresErasures.ts"

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

/** Whether journey `j` of company `c` ended so long before $1 that its photos and videos are kept no longer. */
export const mediaNotKept = `j.ended_at < $1::timestamptz - make_interval(days => c.media_retention_days)`

/** Photos of so many ($2) journeys that ended long enough before $1: what callers sent, and what identity checks left. */
export const removePhotosStatement = `
with over as materialized (
  select j.id from (
    select journey_id from customer_photos
    union select journey_id from identity_attempts where sealed_document is not null or sealed_selfie is not null
  ) p join journeys j on j.id = p.journey_id join companies c on c.id = j.company_id
  where ${mediaNotKept} limit $2
), photos_gone as (
  delete from customer_photos where journey_id in (select id from over)
), attempts_gone as (
  update identity_attempts set sealed_document = null, sealed_selfie = null
  where journey_id in (select id from over) and (sealed_document is not null or sealed_selfie is not null)
)
select id from over`

/** Attempts in one statement. */
const attemptsAtOnce = 50

/**
 * Photos of checks begun before $1 and decided since, or that their journey never heard of: the document photo goes, and
 * the selfie stays only as the face of a verified customer.
 */
export const removeDecidedStatement = `
with decided as materialized (
  select a.id, ${isVerified("j", "a")} as is_face
  from identity_attempts a join journeys j on j.id = a.journey_id
  where a.sealed_document is not null and a.at < $1::timestamptz
    and not (j.status = 'ACTIVE' and ${isUnderReview("j", "a")})
  order by a.at limit ${attemptsAtOnce}
)
update identity_attempts a
set sealed_document = null, sealed_selfie = case when d.is_face then a.sealed_selfie end
from decided d where a.id = d.id returning a.id`

/** Mails in one statement. */
const mailsAtOnce = 500

/** What mail kept here since before $1 said, and to whom; that it was sent stays written. */
export const removeMailStatement = `
update mails set sealed = null, to_index = null
where id in (
  select id from mails where sealed is not null and created_at < $1::timestamptz order by created_at limit ${mailsAtOnce}
) returning id`

/** Links and sessions in one statement. */
const signInsAtOnce = 500

/** Links that ended before $1: until then an old mail still leads to a new link. */
export const removeLinksStatement = `
delete from sign_in_links
where token_hash in (select token_hash from sign_in_links where expires_at < $1::timestamptz limit ${signInsAtOnce})
returning token_hash`

/** Sessions opened before $1. */
export const removeSessionsStatement = `
delete from customer_sessions
where secret_hash in (select secret_hash from customer_sessions where opened_at < $1::timestamptz limit ${signInsAtOnce})
returning secret_hash`

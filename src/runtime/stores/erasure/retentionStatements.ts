/**
 * The statements that delete what has been kept long enough: whole journeys of the sandbox, photos and videos of
 * journeys that are over, old links and sessions, and the content of mail that is kept here. When a statement runs, and how long things
 * are kept, is decided by `work/Retention.ts`.
 */
import { addressOfNobody } from "../../postgres/addressOfNobody.ts"
import { isResultUnderReview, isUnderReview, isVerified, isVerifiedPortrait } from "../checks/attemptStatements.ts"
import { journeyTables } from "./PostgresErasures.ts"

/** Journeys of one company that one statement removes. */
const journeysAtOnce = 20

/** Removes all that there is of some test journeys, and answers with their ids. */
const removeJourneys = (old: string) => `
with old as materialized (${old}
), their_events as materialized (
  select e.id, w.id as endpoint_id from old join events e on e.journey_id = old.id
  left join webhook_endpoints w on w.company_id = e.company_id and w.livemode = e.livemode
), attempts_gone as (
  delete from attempts where event_id in (select id from their_events)
), deliveries_gone as (
  delete from deliveries d using their_events e where d.endpoint_id = e.endpoint_id and d.event_id = e.id
), ${[...journeyTables, "events", "journal", "mails", "vehicle_sales"]
  .map((table) => `${table}_gone as (delete from ${table} where journey_id in (select id from old))`)
  .join(", ")}, ends_gone as (
  delete from ended_journeys e using old join journeys j on j.id = old.id
  where e.company_id = j.company_id and e.ended_at = j.ended_at and e.journey_id = j.id
), customers_gone as (
  delete from customers c where c.id in (select customer_id from old) and not exists (
    select from journeys j where j.customer_id = c.id and j.id not in (select id from old)
  )
)
delete from journeys where id in (select id from old) returning id`

/** Removes test journeys that were started before $1, the oldest of each company. */
export const removeTestDataStatement = removeJourneys(`
  select j.* from companies c cross join lateral (
    select id, company_id, customer_id from journeys
    where company_id = c.id and not livemode and created_at < $1::timestamptz
    order by created_at limit ${journeysAtOnce}
  ) j`)

/** Removes journeys on test clocks that were made before $1, whatever time the journeys have: a clock is never behind its beginning. */
export const removeClockDataStatement = removeJourneys(`
  select j.id, j.company_id, j.customer_id from (
    select id from sandbox_clocks where created_at < $1::timestamptz order by created_at limit ${journeysAtOnce}
  ) k join journeys j on j.clock_id = k.id limit ${journeysAtOnce}`)

/** Removes test clocks that were made before $1 and have no journeys any more. */
export const removeClocksStatement = `
delete from sandbox_clocks where id in (
  select k.id from sandbox_clocks k
  where k.created_at < $1::timestamptz and not exists (select from journeys j where j.clock_id = k.id)
  order by k.created_at limit ${journeysAtOnce}
) returning id`

/**
 * Removes the photos and videos of some ($2) journeys that their company keeps no longer at $1: the callers' photos, those of checks, what
 * outside providers sent, and the videos. Each journey is looked at once, whether it has any or not.
 */
export const removeMediaStatement = `
with over as materialized (
  select e.* from companies c cross join lateral (
    select company_id, ended_at, journey_id from ended_journeys
    where company_id = c.id and ended_at < $1::timestamptz - make_interval(days => c.media_retention_days)
    order by company_id, ended_at, journey_id limit $2
  ) e limit $2
), photos_gone as (
  delete from customer_photos where journey_id in (select journey_id from over)
), attempts_gone as (
  update identity_attempts set sealed_document = null, sealed_selfie = null, sealed_prints = null
  where journey_id in (select journey_id from over)
    and (sealed_document is not null or sealed_selfie is not null or sealed_prints is not null)
), results_gone as (
  delete from provider_results where journey_id in (select journey_id from over)
), videos_gone as (
  delete from video_uploads where journey_id in (select journey_id from over) and completed_at is not null
)
delete from ended_journeys e using over o
where e.company_id = o.company_id and e.ended_at = o.ended_at and e.journey_id = o.journey_id
returning e.journey_id`

/** Holds when the application of a journey was declined, or could not be submitted. */
const isDeclined = (journey: string): string => `exists (
  select from events d where d.journey_id = ${journey}.id and d.type in ('finance_enquiry.declined', 'finance_enquiry.submission_failed')
)`

/** The ends of a live customer's journeys, of the customer `c`: a part with the columns of `customerKeptUntil`. */
export const customersEnds = `
  select max(e.ended_at) as ended_at, bool_or(e.ended_at is null) as is_running, bool_and(${isDeclined("e")}) as is_declined
  from journeys e where e.company_id = c.company_id and e.customer_id = c.id`

/** When a customer with the ends `l` is over, as the company `o` has it; null: not by itself, or a journey runs. */
export const customerKeptUntil = `
  case when not l.is_running then l.ended_at + make_interval(days => least(
    nullif(o.customer_retention_days, 0), case when l.is_declined then nullif(o.declined_retention_days, 0) end)) end`

/** When the application of the declined live journey `j` of company `o` goes, or went; null: with its customer. */
export const applicationKeptUntil = `
  coalesce(j.application_erased_at, case when j.livemode and o.application_retention_days > 0 and ${isDeclined("j")}
    then j.ended_at + make_interval(days => o.application_retention_days) end)`

/** Applications that one statement erases. */
export const applicationsAtOnce = 50

/**
 * Declined journeys whose applications are over at $1, with their records, the oldest of each company first, without those in $2. What
 * cannot be erased is left out before the rows are counted, so that it hides nothing.
 */
export const declinedApplicationsStatement = `
select k.* from companies o cross join lateral (
  select j.id, p.sealed, c.wrapped_key from journeys j
  join personal_records p on p.journey_id = j.id join customers c on c.id = j.customer_id
  where j.company_id = o.id and j.livemode and j.type = 'FINANCE_IDENTITY_DELIVERY' and j.status = 'CANCELLED'
    and j.application_erased_at is null and j.ended_at < $1::timestamptz - make_interval(days => o.application_retention_days)
    and c.wrapped_key is not null and j.id <> all($2::uuid[]) and ${isDeclined("j")}
  order by j.ended_at limit ${applicationsAtOnce}
) k
where o.application_retention_days > 0 limit ${applicationsAtOnce}`

/** Replaces records by those without the application, unless a correction has replaced them meanwhile: the next look finds those again. */
export const eraseApplicationsStatement = `
with replaced as (
  update personal_records p set sealed = t.sealed
  from unnest($2::uuid[], $3::bytea[], $4::bytea[]) t (journey_id, before, sealed)
  where p.journey_id = t.journey_id and p.sealed = t.before returning p.journey_id
), changed as (
  update journeys set application_erased_at = $1::timestamptz where id in (select journey_id from replaced)
  returning id, company_id
), line as (
  insert into audit (company_id, actor, action, details, at)
  select company_id, 'service', 'application.erased', json_build_object('journeyId', id, 'because', 'RETENTION'), $1::timestamptz
  from changed order by company_id, id
)
select id from changed`

/** Customers whose erasure one statement begins. */
const customersAtOnce = 50

/**
 * The live customers who are over at $1, with their companies; `which` narrows those of one company. Nobody is over sooner than the shorter
 * of the company's numbers after the row was made.
 */
const customersOver = (which: string) => `
  select o.id as company_id, k.id from companies o cross join lateral (
    select c.id from customers c cross join lateral (${customersEnds}) l
    where c.company_id = o.id and c.livemode and ${customerKeptUntil} < $1::timestamptz
      and c.created_at < $1::timestamptz - make_interval(days => least(nullif(o.customer_retention_days, 0), nullif(o.declined_retention_days, 0)))
      and not exists (select from erasures x where x.company_id = c.company_id and x.customer_id = c.id)
      ${which}
  ) k where o.customer_retention_days > 0 or o.declined_retention_days > 0`

/**
 * Holds the rows of customers who seem to be over, the oldest of each company first. Starts that use such a row are written before this
 * answers, or find it gone when the transaction ends (`startStatement.ts`).
 */
export const holdCustomersStatement = `
with over as materialized (${customersOver(`order by c.created_at limit ${customersAtOnce}`)})
select c.id from customers c where c.id in (select id from over) order by c.id for update`

/**
 * Begins the erasure of those of the held customers ($2) who are over with what has been written meanwhile; the worker of erasures goes
 * on with them. From here on no address leads to them: who comes back is a new customer.
 */
export const beginErasuresStatement = `
with over as materialized (${customersOver("and c.id = any($2::uuid[])")}), allowances_gone as (
  delete from mail_allowances where address_index in (select email_index from customers where id in (select id from over))
), left_alone as (
  update customers set email_index = ${addressOfNobody} where id in (select id from over)
), begun as (
  insert into erasures (company_id, customer_id, requested_at) select company_id, id, $1::timestamptz from over
  on conflict do nothing returning company_id, customer_id
), line as (
  insert into audit (company_id, actor, action, details, at)
  select company_id, 'service', 'customer.erased', json_build_object('customerReference', customer_id, 'because', 'RETENTION'), $1::timestamptz
  from begun order by company_id, customer_id
)
select customer_id from begun`

/** Attempts whose photos one statement removes. */
const attemptsAtOnce = 50

/**
 * Removes photos of checks that were begun before $1 and have been decided since, or that their journey never heard of. The
 * document photo goes. The selfie stays only as the face of a verified customer.
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

/**
 * Removes what outside providers sent before $1 with results that have been decided since, or that their journey never heard
 * of. The provider's page goes. The portrait stays only as the face of a verified customer.
 */
export const removeDecidedResultsStatement = `
with decided as materialized (
  select r.id, ${isVerifiedPortrait("j", "r")} as is_face
  from provider_results r join journeys j on j.id = r.journey_id
  where not r.is_decided and r.at < $1::timestamptz
    and not (j.status = 'ACTIVE' and ${isResultUnderReview("j", "r")})
  order by r.at limit ${attemptsAtOnce}
)
update provider_results r
set is_decided = true, sealed_review_url = null, sealed_portrait = case when d.is_face then r.sealed_portrait end
from decided d where r.id = d.id returning r.id`

/** Mails whose content one statement removes. */
const mailsAtOnce = 500

/** Removes content and recipient of mails that are kept here since before $1. That a mail was sent stays written. */
export const removeMailStatement = `
update mails set sealed = null, to_index = null, is_unwritten = false
where id in (
  select id from mails where (sealed is not null or is_unwritten) and created_at < $1::timestamptz order by created_at limit ${mailsAtOnce}
) returning id`

/** Links that one statement removes. */
const linksAtOnce = 500

/**
 * Removes links that ended before $1, of those that were made before $2. Until then an old mail still leads to a page that mails a new
 * link. Ids, of the link and not of its mail, are in the order of time and find the old ones, so that no start writes another index.
 */
export const removeLinksStatement = `
delete from sign_in_links
where mail_id in (
  select mail_id from sign_in_links where mail_id < first_id_at($2::timestamptz) and expires_at < $1::timestamptz
  order by mail_id limit ${linksAtOnce}
) returning token_hash`

/**
 * Empties the slot of a day of the request log, when it has a line of before $1: those of a day so long ago that its slot comes again.
 * `slot` is a number of the day, never of a request.
 */
export const emptySlotStatement = (slot: number): string => `truncate table requests_${slot}`
export const slotHasOldStatement = (slot: number): string =>
  `select id from requests_${slot} where at < $1::timestamptz limit 1`

const requestsAtOnce = 1000

/**
 * Removes lines of the request log of before $1, wherever they are: where no node ran on the day on which a slot had to be emptied, the
 * slot has lines of before beside those of its new day. The ids of lines are in the order of time, so each company's oldest are found by
 * the index that lists them, and a company without any costs a look.
 */
export const removeRequestsStatement = `
delete from requests r using (
  select o.* from companies c cross join (values (true), (false)) m (livemode) cross join lateral (
    select slot, company_id, livemode, id from requests
    where company_id = c.id and livemode = m.livemode and id < first_id_at($1::timestamptz)
    order by company_id, livemode, id limit ${requestsAtOnce}
  ) o limit ${requestsAtOnce}
) old
where r.slot = old.slot and r.company_id = old.company_id and r.livemode = old.livemode and r.id = old.id
returning r.id`

/**
 * What the list of a company's journeys shows and searches by: what a journey waits on and since when, its vehicle's
 * registration as a keyed hash, the dealer that a broker named, and the Request-Id of the request that a message came with.
 *
 * Of journeys that an earlier version wrote, this migration knows when they had their last event: from then on they count as
 * waiting. What only the sealed record says (registration, dealer) it cannot read; the service fills it in after its start
 * (`is_filled`, `runtime/work/FillIn.ts`). A node of the earlier version that runs beside this one goes on writing rows
 * without these columns: they are filled in at the next start, and `waiting_since` of such a journey shows the time before.
 */

export const sql = `
-- waiting_since: when waiting_on came to its value; null once the journey has ended. registration_index: the keyed hash of
-- company, mode and registration; null when the customer was erased. dealer_company_id: of live journeys of brokers.
-- is_filled: whoever wrote the row knew the columns that come from the sealed record.
alter table journeys add column waiting_since timestamptz;
alter table journeys add column registration_index bytea;
alter table journeys add column dealer_company_id uuid;
alter table journeys add column is_filled boolean not null default false;
update journeys set waiting_since = to_timestamp((state ->> 'lastEventAt')::double precision / 1000) where status = 'ACTIVE';

-- The one thing that the list filters by: what the journey waits on, or how it has ended.
alter table journeys add column listed_as text generated always as (coalesce(waiting_on, status)) stored;
create index journeys_listed on journeys (company_id, livemode, listed_as, type, created_at desc, id desc)
  include (waiting_since);
create index journeys_by_registration on journeys (registration_index, created_at desc, id desc)
  where registration_index is not null;
create index journeys_of_dealer on journeys (dealer_company_id, created_at desc, id desc)
  where dealer_company_id is not null;
create index journeys_to_fill on journeys (id) where not is_filled;

-- References in the order of their bytes, whatever the database sorts by: those with one beginning lie together.
drop index journeys_by_reference;
create index journeys_by_reference on journeys (company_id, livemode, external_reference collate "C", created_at desc, id desc)
  where external_reference is not null;

-- The Request-Id of the request that the message came with; null of what nobody asked for.
alter table journal add column request_id uuid;
create index journal_by_request on journal (request_id) where request_id is not null;
`

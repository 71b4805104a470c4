/** What a company's team works with besides running journeys: the stock of vehicles, reviews, and erasures of customers. */
export const sql = `
-- The stock behind inventoryVehicleId. sold_by: the journey whose handover sold it; null when somebody said so.
create table vehicles (
  company_id uuid not null references companies (id),
  id text not null,
  status text not null check (status in ('IN_STOCK', 'SOLD')),
  sold_by uuid,
  changed_at timestamptz not null,
  primary key (company_id, id),
  check (sold_by is null or status = 'SOLD')
);

-- What a completed handover came to in the stock, once a journey: what is not MARKED is a note for the team.
create table vehicle_sales (
  journey_id uuid primary key,
  company_id uuid not null,
  vehicle_id text not null,
  outcome text not null check (outcome in ('MARKED', 'ALREADY_SOLD', 'UNKNOWN')),
  at timestamptz not null
);

-- Which message an event came of: the journal's version. Unknown of events from before.
alter table events add column version integer;

-- Journeys a reviewer or the team has to look at. Of those that show their caller's duty first only the state tells.
create index journeys_in_review on journeys (company_id, livemode)
  where status = 'ACTIVE' and case
    when waiting_on in ('DEALER_TO_REVIEW', 'IDENTITY_UNDER_REVIEW') then true
    when waiting_on = 'SEND_FINANCE_DECISION' then state -> 'identity' ->> 'status' in ('UNDER_REVIEW', 'UNAVAILABLE')
    else false end;

create index journeys_of_customer on journeys (customer_id);

-- The erasure of a customer, from its request to its end; what it says is no personal data, and it stays. erased_at:
-- the key and every sealed row are gone. finished_at: what was still being written then has been looked for as well.
create table erasures (
  company_id uuid not null references companies (id),
  customer_id uuid not null,
  requested_at timestamptz not null,
  erased_at timestamptz,
  finished_at timestamptz,
  primary key (company_id, customer_id)
);
create index erasures_unfinished on erasures (requested_at) where finished_at is null;
`

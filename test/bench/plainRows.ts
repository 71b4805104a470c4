/**
 * The tables and statements of the plain server: the same kinds of rows as the service writes for a start and a decision (a customer,
 * a journey, the customer's record, a journal line, two events), with the indexes that they need and no others. Who runs them,
 * and when, is decided in `plainServer.ts`.
 */
export const plainTables = `
create schema plain;
create table plain.customers (id uuid primary key, company_id uuid not null, email text not null, created_at timestamptz not null);
create table plain.journeys (id uuid primary key, company_id uuid not null, idempotency_key text not null, body_hash bytea not null,
  status text not null, version int not null, external_reference text, customer_id uuid not null, state json not null,
  created_at timestamptz not null, unique (company_id, idempotency_key));
create index on plain.journeys (company_id, created_at desc, id);
create table plain.personal_records (journey_id uuid primary key, record text not null);
create table plain.journal (journey_id uuid, version int, message json not null, at timestamptz not null, primary key (journey_id, version));
create table plain.events (id uuid primary key, journey_id uuid not null, sequence int not null, company_id uuid not null, type text not null,
  body json not null, created_at timestamptz not null, unique (journey_id, sequence));
create index on plain.events (company_id, created_at, id)`

/** Any number of starts in one commit. What comes back was written; of the others the key is taken. */
export const writeStarts = `
with r as (
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[],
    $10::uuid[], $11::text[], $12::uuid[], $13::text[])
  as t (id, company_id, key, hash, reference, email, state, record, at, created_id, created_body, requested_id, requested_body)
), j as (
  insert into plain.journeys select id, company_id, key, hash, 'ACTIVE', 1, reference, id, state::json, at from r order by company_id, key
  on conflict do nothing returning id
), c as (
  insert into plain.customers select id, company_id, email, at from r join j using (id)
), p as (
  insert into plain.personal_records select id, record from r join j using (id)
), l as (
  insert into plain.journal select id, 1, '{"type":"Start"}', at from r join j using (id)
), e as (
  insert into plain.events select created_id, id, 1, company_id, 'journey.created', created_body::json, at from r join j using (id)
  union all select requested_id, id, 2, company_id, 'identity.requested', requested_body::json, at from r join j using (id)
)
select id from j`

export const readByKey =
  "select state::text, body_hash from plain.journeys where company_id = $1 and idempotency_key = $2"

export const readById = "select state::text, version from plain.journeys where company_id = $1 and id = $2"

/** Writes nothing when the journey has another version by now. */
export const writeDecision = `
with u as (
  update plain.journeys set state = $3::json, version = version + 1 where id = $1 and version = $2 returning company_id, version
), l as (
  insert into plain.journal select $1, version, $4::json, now() from u
), e as (
  insert into plain.events select $5, $1, version + 1, company_id, 'finance_enquiry.approved', $6::json, now() from u
)
select version from u`

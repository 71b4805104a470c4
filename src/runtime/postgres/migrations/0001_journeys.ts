/**
 * The first schema: companies and their keys, customers, journeys with their journal and events, wallets, audit.
 *
 * One statement writes all rows of a start, so the hot tables have no foreign keys: a foreign key would lock and look up the
 * rows that the same statement has just written. The unique index of the idempotency key, the version, the trigger below and
 * the consistency checks of the tests guard these tables instead. An index that nothing reads would cost something at every
 * start, so an index comes together with its reader.
 */
export const sql = `
create table companies (
  id uuid primary key,
  name text not null,
  kind text not null check (kind in ('DEALER', 'BROKER')),
  admin_email text not null,
  active boolean not null default true,
  identity_provider json,
  finance_panel json,
  identity_window_days integer not null default 30 check (identity_window_days between 1 and 90),
  handover_window_days integer not null default 30 check (handover_window_days between 1 and 90),
  sandbox json not null,
  created_at timestamptz not null
);

create table api_keys (
  id uuid primary key,
  company_id uuid not null references companies (id),
  livemode boolean not null,
  name text not null,
  hash bytea not null unique,
  last4 text not null,
  scopes text[] not null,
  developer boolean not null default true,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null
);
create index api_keys_of_company on api_keys (company_id, created_at);

-- Something the encryption key of this database opens: one row, made by the first start.
create table encryption_marks (
  id integer primary key check (id = 1),
  sealed bytea not null
);

-- Who changed what: never a secret, never personal data beyond the actor's own name.
create table audit (
  id bigint generated always as identity primary key,
  company_id uuid not null references companies (id),
  actor text not null,
  action text not null,
  details json not null,
  at timestamptz not null
);
create index audit_of_company on audit (company_id, id);

-- wrapped_key is the customer's data key under the master key: deleting it erases the customer.
create table customers (
  id uuid primary key,
  company_id uuid not null,
  livemode boolean not null,
  email_index bytea not null,
  wrapped_key bytea,
  created_at timestamptz not null,
  unique (company_id, livemode, email_index)
);

create table journeys (
  id uuid primary key,
  company_id uuid not null,
  livemode boolean not null,
  status text not null check (status in ('ACTIVE', 'COMPLETED', 'CANCELLED', 'EXPIRED')),
  version integer not null,
  external_reference text,
  customer_id uuid not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  state json not null,
  wake_at timestamptz,
  set_aside_at timestamptz,
  created_at timestamptz not null,
  constraint journeys_idempotency_key unique (company_id, livemode, idempotency_key)
);
create index journeys_newest on journeys (company_id, livemode, created_at desc, id desc);
create index journeys_by_reference on journeys (company_id, livemode, external_reference, created_at desc, id desc)
  where external_reference is not null;
create index journeys_to_wake on journeys (wake_at) where wake_at is not null and set_aside_at is null;

create function refuse_reopening() returns trigger language plpgsql as $$
begin
  raise exception 'journey % has ended and stays %', old.id, old.status using errcode = 'restrict_violation';
end $$;
create trigger ended_journeys_stay_ended before update on journeys
  for each row when (old.status <> 'ACTIVE' and new.status is distinct from old.status)
  execute function refuse_reopening();

-- The personal record of a journey: everything the start said, sealed with the customer's key.
create table personal_records (
  journey_id uuid primary key,
  customer_id uuid not null,
  sealed bytea not null
);

-- One line a handled message. sealed_note is the message's free text.
create table journal (
  journey_id uuid not null,
  version integer not null,
  message_id uuid not null,
  sender text not null,
  message json not null,
  sealed_note bytea,
  at timestamptz not null,
  primary key (journey_id, version)
);

-- body holds the exact bytes that are sent.
create table events (
  journey_id uuid not null,
  sequence integer not null,
  id uuid not null,
  company_id uuid not null,
  livemode boolean not null,
  type text not null,
  body text not null,
  created_at timestamptz not null,
  primary key (journey_id, sequence)
);

-- balance counts credits bought and not yet charged; held is the part of it promised to running journeys.
create table wallets (
  company_id uuid not null references companies (id),
  wallet text not null check (wallet in ('APPLICATION', 'IDENTITY')),
  balance bigint not null default 0 check (balance >= 0),
  held bigint not null default 0 check (held >= 0),
  primary key (company_id, wallet),
  check (held <= balance)
);
create table wallet_holds (
  journey_id uuid not null,
  company_id uuid not null,
  wallet text not null,
  credits bigint not null check (credits > 0),
  at timestamptz not null,
  primary key (journey_id, wallet)
);
create table wallet_ledger (
  id bigint generated always as identity primary key,
  company_id uuid not null,
  wallet text not null,
  amount bigint not null,
  journey_id uuid,
  note text not null,
  at timestamptz not null
);
create index wallet_ledger_of_wallet on wallet_ledger (company_id, wallet, id);
`

/**
 * What customers sign in with and what they confirm: links in their mail, sessions, the delivery address. Only hashes of
 * links and sessions are kept. A link is void once its step has a newer link, which needs no column.
 */
export const sql = `
create table sign_in_links (
  token_hash bytea primary key,
  mail_id uuid not null unique,
  journey_id uuid not null,
  step text not null check (step in ('VERIFY_IDENTITY', 'CONFIRM_ADDRESS', 'RECORD_VIDEO')),
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_of_step on sign_in_links (journey_id, step, issued_at);

-- A link opens one session: the database itself would refuse a second one.
create table customer_sessions (
  secret_hash bytea primary key,
  link_hash bytea not null unique,
  journey_id uuid not null,
  opened_at timestamptz not null,
  seen_at timestamptz not null
);
create index customer_sessions_of_journey on customer_sessions (journey_id);

-- Where the vehicle is handed over, as the customer confirmed it, sealed with the customer's key.
create table delivery_addresses (
  journey_id uuid primary key,
  customer_id uuid not null,
  sealed bytea not null,
  at timestamptz not null
);

create index mails_of_journey on mails (journey_id, created_at) where journey_id is not null;
`

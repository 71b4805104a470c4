/**
 * What outside providers are asked and what they call back with, and identity checks. Personal data (the page of a check,
 * photos) is sealed with the customer's key. A request is written before the provider is called. It has no foreign key to its
 * journey, like the other tables of journeys.
 */
export const sql = `
-- id is what the provider knows it by. check_number is the number of the journey's ask.
create table provider_requests (
  id uuid primary key,
  kind text not null check (kind in ('FINANCE', 'IDENTITY')),
  journey_id uuid not null,
  company_id uuid not null,
  check_number integer,
  created_at timestamptz not null,
  check ((check_number is not null) = (kind = 'IDENTITY'))
);
create index provider_requests_of_journey on provider_requests (journey_id);

-- Genuine callbacks, each once; outcome is null until the journey has answered.
create table provider_callbacks (
  request_id uuid not null references provider_requests (id),
  message_id uuid not null,
  said text not null,
  at timestamptz not null,
  outcome text check (outcome in ('APPLIED', 'IGNORED')),
  primary key (request_id, message_id)
);

-- Where an outside provider waits for the customer.
create table identity_checks (
  id uuid primary key,
  journey_id uuid not null,
  customer_id uuid not null,
  check_number integer not null,
  sealed_url bytea not null,
  at timestamptz not null
);
create index identity_checks_of_journey on identity_checks (journey_id, check_number);

-- Checks made here. The selfie of a clear match is the face the handover video is compared with; of an unclear one both
-- photos wait for the reviewer; of any other nothing is kept. verdict is null while the photos are looked at.
create table identity_attempts (
  id uuid primary key,
  journey_id uuid not null,
  customer_id uuid not null,
  check_number integer not null,
  at timestamptz not null,
  verdict text check (verdict in ('SAME', 'UNCLEAR', 'DIFFERENT', 'NO_FACE', 'NOT_JUDGED')),
  sealed_document bytea,
  sealed_selfie bytea,
  check (sealed_document is null or verdict = 'UNCLEAR'),
  check (sealed_selfie is null or verdict in ('SAME', 'UNCLEAR'))
);
alter table identity_attempts alter column sealed_document set storage external;
alter table identity_attempts alter column sealed_selfie set storage external;
create index identity_attempts_of_journey on identity_attempts (journey_id, at);
`

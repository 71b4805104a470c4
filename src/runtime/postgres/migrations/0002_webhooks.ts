/**
 * Webhooks: endpoints, the deliveries of events to them with every attempt, resends of many events, and the mail that tells
 * a company's administrator about the endpoint.
 *
 * A delivery has the id of its event, because a company has one endpoint for each mode. Deliveries are narrow rows that change
 * often, and they point to the wide events that never change.
 *
 * `tx` is the id of the transaction that wrote an event, and orders events as they became visible. A reader that follows
 * events stops before the oldest transaction that still runs, so it never misses an event that is committed behind it.
 */
export const sql = `
create table webhook_endpoints (
  id uuid primary key,
  company_id uuid not null references companies (id),
  livemode boolean not null,
  url text not null,
  events text[] not null,
  enabled boolean not null,
  off_reason text check (off_reason in ('BY_HAND', 'UNREACHABLE')),
  off_since timestamptz,
  sealed_secret bytea not null,
  sealed_previous_secret bytea,
  previous_until timestamptz,
  -- Raised by every save and removal: what was decided about an earlier setting is not written over a later one.
  revision integer not null default 1,
  failing_since timestamptz,
  last_failed_at timestamptz,
  warnings integer not null default 0,
  created_at timestamptz not null,
  removed_at timestamptz,
  check (enabled = (off_reason is null)),
  check (removed_at is null or not enabled),
  constraint webhook_endpoints_of_mode unique (company_id, livemode)
);

alter table events add column tx xid8 not null default pg_current_xact_id();
create index events_as_committed on events (company_id, livemode, tx, id);
create unique index events_by_id on events (id);

create table deliveries (
  endpoint_id uuid not null,
  event_id uuid not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'GIVEN_UP', 'PARKED')),
  -- Attempts ever made, and those that count against the schedule since the delivery was last begun.
  attempts integer not null default 0,
  tries integer not null default 0,
  -- What makes the next attempt happen.
  trigger text not null default 'SCHEDULE',
  due_at timestamptz,
  delivered_at timestamptz,
  -- When the last attempt in the log began: an outcome that is written twice is known by it.
  last_at timestamptz,
  task_id uuid,
  primary key (endpoint_id, event_id),
  check ((due_at is not null) = (status = 'PENDING'))
);
create index deliveries_due on deliveries (endpoint_id, due_at, event_id) where due_at is not null;
create index deliveries_missed on deliveries (endpoint_id, status, event_id) where status in ('GIVEN_UP', 'PARKED');
create index deliveries_of_task on deliveries (task_id, status) where task_id is not null;

create table attempts (
  event_id uuid not null,
  number integer not null,
  at timestamptz not null,
  duration_millis integer not null,
  trigger text not null,
  http_status integer,
  error text,
  answer text,
  primary key (event_id, number)
);

-- done_tx, done_id: the last event looked at, so that a restart goes on where it was. tx: the transaction that made the
-- task; when all before it have ended, every event it is about can be seen.
create table resend_tasks (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints (id),
  since timestamptz not null,
  types text[],
  journey_id uuid,
  delivered boolean not null,
  tx xid8 not null default pg_current_xact_id(),
  done_tx xid8 not null default '0',
  done_id uuid not null default '00000000-0000-0000-0000-000000000000',
  queued integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index resend_tasks_of_endpoint on resend_tasks (endpoint_id, created_at desc, id);
create unique index resend_tasks_running on resend_tasks (endpoint_id) where finished_at is null;

-- One mail a cause. facts hold no personal data; sealed is the finished mail where it is kept instead of sent.
create table mails (
  id uuid primary key,
  cause text not null unique,
  kind text not null,
  company_id uuid not null references companies (id),
  journey_id uuid,
  facts json not null,
  created_at timestamptz not null,
  tries integer not null default 0,
  due_at timestamptz,
  sent_at timestamptz,
  given_up_at timestamptz,
  to_index bytea,
  sealed bytea
);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_kept on mails (created_at, id) where sealed is not null;
`

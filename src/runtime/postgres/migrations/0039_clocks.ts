/**
 * Clocks of the sandbox. A test journey on a clock has no alarm in real time: `wake_at` is null, and whoever advances the clock
 * reads the alarm from the journey's state. A delivery of such a journey whose attempt has failed waits for `clock_due_at`, a time
 * of the clock, and has no `due_at`, so that nobody sends it by the real time. No live journey can be on a clock.
 *
 * A node of the earlier version that runs beside this one does not know of clocks: a test journey that it moves leaves its clock
 * and runs by the real time from then on, and a retry that it plans comes in real time.
 */
export const sql = `
create table sandbox_clocks (
  id uuid primary key,
  company_id uuid not null references companies (id),
  -- The present time by which the clock's journeys run.
  at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- The advance that is under way or was interrupted, what holds the clock for it, and until when in real time.
  target_at timestamptz,
  held_by uuid,
  held_until timestamptz
);
create index sandbox_clocks_of_company on sandbox_clocks (company_id, created_at);
create index sandbox_clocks_by_age on sandbox_clocks (created_at);

alter table journeys add column clock_id uuid;
alter table journeys add constraint live_journeys_have_no_clock check (clock_id is null or not livemode) not valid;
create index journeys_of_clock on journeys (clock_id) where clock_id is not null;

alter table deliveries add column clock_id uuid, add column clock_due_at timestamptz;
alter table deliveries drop constraint deliveries_check;
alter table deliveries add constraint deliveries_check check (
  case when status = 'PENDING' then due_at is not null or clock_due_at is not null else due_at is null end
) not valid;
create index deliveries_of_clock on deliveries (clock_id, clock_due_at) where clock_id is not null;
`

/**
 * How the mail of each company to others stands (decision M9): whether it was stopped, how much may leave in a day where that is not the
 * age's to say, and counts by hour of what left and what came back. A mail that came back after it had left is counted once.
 */
export const sql = `
create table mail_standings (
  company_id uuid primary key,
  per_day integer,
  stopped_at timestamptz,
  stopped_by text check (stopped_by in ('RATE', 'OPERATOR'))
);

-- Many writes go to few rows, so there is room in each page.
create table mail_hours (
  company_id uuid not null,
  hour timestamptz not null,
  sent integer not null default 0,
  refused integer not null default 0,
  reported integer not null default 0,
  primary key (company_id, hour)
) with (fillfactor = 50);
create index mail_hours_old on mail_hours (hour);

alter table mails add column returned_as text;
`

/** How much customers have uploaded on a day, by journey; a company's is the sum of its journeys. */
export const sql = `
create table upload_days (
  journey_id uuid not null,
  day date not null,
  company_id uuid not null,
  livemode boolean not null,
  uploads integer not null,
  bytes bigint not null,
  primary key (journey_id, day)
);
create index upload_days_of_company on upload_days (company_id, livemode, day) include (journey_id, uploads, bytes);
create index upload_days_old on upload_days (day);
`

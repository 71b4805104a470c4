/**
 * The photos of customers that callers send with a finance sale: cleaned, sealed with the customer's key, one a journey.
 * Only live journeys have one; what the sandbox is sent is looked at and thrown away.
 */
export const sql = `
create table customer_photos (
  journey_id uuid primary key,
  customer_id uuid not null,
  sealed bytea not null,
  at timestamptz not null
);
-- A photo is compressed and then encrypted: PostgreSQL need not try to compress it again.
alter table customer_photos alter column sealed set storage external;
`

/**
 * The photos of customers that callers send with a finance sale: cleaned, sealed with the customer's key, one for each
 * journey. Only live journeys have a photo. The sandbox checks the photos that it is sent and throws them away.
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

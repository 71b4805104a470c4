/**
 * How much customer mail an address got within a day, over all companies (decision M9). The address is its keyed hash, as in
 * `customers`. `mails` holds the id of each mail with the time at which it left, in epoch milliseconds.
 */
export const sql = `
create table mail_allowances (
  address_index bytea primary key,
  mails jsonb not null,
  last_at timestamptz not null
);
create index mail_allowances_last on mail_allowances (last_at);
`

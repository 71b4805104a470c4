/**
 * How long a company keeps its customers after their last journey: 0 until somebody erases them. Customers stand in the order of their age,
 * so that those who may be over are found first.
 */
export const sql = `
alter table companies
  add column customer_retention_days int not null default 0,
  add column declined_retention_days int not null default 0;
create index customers_by_age on customers (company_id, created_at) where livemode;
`

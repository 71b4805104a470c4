/** A customer's session has an id by which the company's team names it: its secret is nobody's but the customer's. */
export const sql = `
alter table customer_sessions add column id uuid not null default gen_random_uuid();
`

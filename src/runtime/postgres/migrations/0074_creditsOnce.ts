/** A credit that the operator adds has an id, so that a request that comes twice adds credits once. Lines of charges have none. */
export const sql = `
alter table wallet_ledger add column credit_id uuid;
create unique index wallet_ledger_of_credit on wallet_ledger (credit_id) where credit_id is not null;
`

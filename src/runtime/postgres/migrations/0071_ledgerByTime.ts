/** The ledger of a wallet is read by its time: a part of time, such as a month, costs its own lines and no others. */
export const sql = `
create index wallet_ledger_newest on wallet_ledger (company_id, wallet, at, id);
drop index wallet_ledger_of_wallet;
`

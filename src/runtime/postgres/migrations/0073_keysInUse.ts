/** When a node that seals with a key last said so. Nodes say it while the list has more than one key. */
export const sql = `
alter table encryption_keys add column said_at timestamptz not null default now();
`

/** Which keys have the mark of the installation in their text: those whose hash stands in both columns. */
export const sql = `
alter table api_keys add column marked_hash bytea;
create index api_keys_unmarked on api_keys (hash) where revoked_at is null and marked_hash is distinct from hash;
`

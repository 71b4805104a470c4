/** When an API key was last used, to the minute, and the addresses from which it is taken; none: from every address. */
export const sql = `
alter table api_keys add column last_used_at timestamptz, add column addresses text[] not null default '{}';
`

/**
 * Keys and members have scopes of their own. A token from before could make both with companies:write and goes on doing so, until it is
 * replaced or ends: `granted_scopes` says it in words. `scopes` stays as it was written, because nodes of before read it during an upgrade; what
 * they make meanwhile is from before, too.
 */
export const sql = `
alter table operator_tokens add column is_from_before_key_scopes boolean not null default true;
alter table operator_tokens add column granted_scopes text[] not null generated always as (
  case when is_from_before_key_scopes and 'companies:write' = any(scopes) then scopes || array['keys:write', 'members:write'] else scopes end
) stored;
`

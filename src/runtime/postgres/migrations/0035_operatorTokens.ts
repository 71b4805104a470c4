/** Named tokens of the operator, kept as hashes, and which of them opened a session of the console. A name is used once, for ever. */
export const sql = `
create table operator_tokens (
  id uuid primary key,
  name text not null unique,
  hash bytea not null unique,
  last4 text not null,
  scopes text[] not null,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by text
);
alter table console_sessions add column operator_token_id uuid;
`

/**
 * The people of a company, and what they sign in with: links in their mail, sessions of the console, passkeys. An address is
 * kept sealed and found by its keyed hash; of links and sessions only hashes are kept. The first owner of a company that is
 * here already is filled in by the service, because SQL cannot seal. A session without a member is the operator's.
 */
export const sql = `
create table members (
  id uuid primary key,
  company_id uuid not null references companies (id),
  role text not null check (role in ('TEAM', 'OWNER')),
  address_index bytea not null,
  sealed_email bytea not null,
  invited_at timestamptz not null,
  seen_at timestamptz,
  unique (company_id, address_index)
);
create index members_of_address on members (address_index);

-- A link signs in an address, whichever companies it belongs to. A newer link of the address ends the older ones.
create table console_links (
  token_hash bytea primary key,
  mail_id uuid not null unique,
  address_index bytea not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index console_links_of_address on console_links (address_index, issued_at);
create index console_links_expiry on console_links (expires_at);

-- company_id is the company that the operator looks at; a member's session looks at the member's company. A link opens one
-- session: the database itself would refuse a second one.
create table console_sessions (
  id uuid primary key,
  secret_hash bytea not null unique,
  link_hash bytea unique,
  member_id uuid references members (id) on delete cascade,
  company_id uuid references companies (id),
  is_waiting_for_passkey boolean not null default false,
  browser text,
  opened_at timestamptz not null,
  seen_at timestamptz not null
);
create index console_sessions_of_member on console_sessions (member_id);
create index console_sessions_opened on console_sessions (opened_at);

create table passkeys (
  id uuid primary key,
  member_id uuid not null references members (id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  added_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_of_member on passkeys (member_id);

-- A session has one challenge at a time. Whoever takes the challenge deletes it.
create table passkey_challenges (
  session_id uuid primary key references console_sessions (id) on delete cascade,
  purpose text not null check (purpose in ('ADD', 'SHOW')),
  challenge text not null,
  expires_at timestamptz not null
);
`

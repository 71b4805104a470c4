/**
 * The master keys that this database has had and may still need, the keys of its indexes, which stay when the master key changes, and
 * the mail that a link was made for: a link's token is random now, so a mail that is sent twice has two links.
 */
export const sql = `
-- Values without the id of a key are under the key that is nameless. Of the keys the one that sealed last is the newest.
create table encryption_keys (
  id text primary key,
  is_nameless boolean not null default false,
  sealing_since timestamptz not null
);

create table encryption_indexes (
  purpose text primary key,
  sealed bytea not null
);

alter table sign_in_links add column of_mail uuid;
create index sign_in_links_of_mail on sign_in_links (of_mail) where of_mail is not null;
alter table console_links add column of_mail uuid;
create index console_links_of_mail on console_links (of_mail) where of_mail is not null;
`

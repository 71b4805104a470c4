/** Mail that went straight into the built-in mailbox is written when somebody reads it for the first time: most of it is never read. */
export const sql = `
alter table mails add column is_unwritten boolean not null default false;
drop index mails_kept;
create index mails_kept on mails (created_at, id) where sealed is not null or is_unwritten;
`

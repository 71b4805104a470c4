/**
 * Mail to the team goes to every member who wants it, and mail to owners to every owner: a mail row is for one of them. A row without
 * one goes to the administrator's address, as an older node sends it, or has yet to be taken by the first of them.
 */
export const sql = `
alter table members add column notices boolean not null default true;
alter table mails add column member_id uuid;
`

/**
 * Retention finds old links and sessions without a read of their whole tables. A session has an index on its beginning. A link needs
 * none, because a row of it is written with the mail of every start: the ids of links begin with the time at which they were made and
 * have an index already. Versions of before migration 30 gave a link the id of its mail, which has no time, and it gets one of its own.
 */
export const sql = `
update sign_in_links set of_mail = mail_id,
  mail_id = overlay(gen_random_uuid()::text placing left(first_id_at(issued_at)::text, 13) || '-7' from 1 for 15)::uuid
where of_mail is null and substr(mail_id::text, 15, 1) <> '7';

create index customer_sessions_opened on customer_sessions (opened_at);
`

/** A member who was removed is mailed about it: the address goes with the mail, sealed, until the mail has left. */
export const sql = `
alter table mails add column sealed_recipient bytea;
`

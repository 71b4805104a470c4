/** A mail that was out of date when its turn came is struck off: the service neither sent it nor gave it up. */
export const sql = `
alter table mails add column struck_off_at timestamptz;
`

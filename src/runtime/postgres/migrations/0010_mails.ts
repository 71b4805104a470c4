/** Mail that was out of date when its turn came is struck off: it was neither sent nor given up. */
export const sql = `
alter table mails add column struck_off_at timestamptz;
`

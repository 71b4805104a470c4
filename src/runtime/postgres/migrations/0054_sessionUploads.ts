/** How much each session of a customer has uploaded on a day, by its id: a few sessions, beside the count of their journey. */
export const sql = `
alter table upload_days add column of_sessions jsonb not null default '{}';
`

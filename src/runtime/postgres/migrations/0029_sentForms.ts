/** The numbers of forms that may be sent once and were sent. */
export const sql = `
create table sent_forms (
  id uuid primary key,
  sent_at timestamptz not null
);
create index sent_forms_old on sent_forms (sent_at);
`

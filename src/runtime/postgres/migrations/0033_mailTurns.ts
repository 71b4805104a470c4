/** Mails are taken up by turns of their companies, and those that a person waits for first. */
export const sql = `
create index mails_due_of_company on mails (company_id, due_at) where due_at is not null;
create index mails_awaited on mails (due_at)
  where due_at is not null and (kind in ('SIGN_IN', 'INVITATION') or cause like '%|asked|%');
`

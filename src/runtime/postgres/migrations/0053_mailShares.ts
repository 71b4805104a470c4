/** Mails that a person waits for are taken up by turns of their companies, invitations last: an index has that order. */
export const sql = `
drop index mails_awaited;
create index mails_awaited on mails (company_id, (kind = 'INVITATION'), due_at)
  where due_at is not null and (kind in ('SIGN_IN', 'INVITATION') or cause like '%|asked|%');
`

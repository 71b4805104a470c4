/**
 * Mails of journeys are written by the commits that owe them: the table is a hot one now, and like those carries no
 * foreign key, which would lock the company's row at every start.
 */
export const sql = `
alter table mails drop constraint mails_company_id_fkey;
`

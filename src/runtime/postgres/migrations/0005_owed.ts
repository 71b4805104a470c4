/**
 * From here on the commit of a journey writes the journey's mails. That makes `mails` a hot table, and like the other hot
 * tables it has no foreign key, because the key would lock the company's row at every start.
 */
export const sql = `
alter table mails drop constraint mails_company_id_fkey;
`

/**
 * How far each file of the journal of erasures has been applied: a restored database says less than the files hold. And which key an
 * erasure destroyed, for its proof.
 */
export const sql = `
create table erasure_journal_files (
  file text primary key,
  applied bigint not null
);

alter table erasures add column key_id text;
`

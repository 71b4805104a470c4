/** Reasons that a company keeps ready for its reviewers, one a line. */
export const sql = `
alter table companies add column approval_reasons text, add column rejection_reasons text;
`

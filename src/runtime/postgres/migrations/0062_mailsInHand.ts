/**
 * Whether a node is trying a mail now, and nobody has recorded what became of it: a try that goes on has not failed yet. What a node of
 * before takes during an upgrade counts as failed from its beginning, as it did before.
 */
export const sql = `
alter table mails add column in_hand boolean not null default false;
`

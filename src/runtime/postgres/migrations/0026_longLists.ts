/**
 * Lists that grow for years are read from a cursor: the audit log with its filters, and the stock with its search. Each list has
 * an index in its own order, so that a piece costs the same wherever it begins.
 */
export const sql = `
drop index audit_of_company;
create index audit_newest on audit (company_id, at, id);
create index audit_by_action on audit (company_id, action, at, id);
create index audit_by_actor on audit (company_id, actor, at, id);
create index audit_by_actor_and_action on audit (company_id, actor, action, at, id);
-- The line of a message is written once: its writer looks for it here.
create index audit_of_message on audit (company_id, action, (details ->> 'messageId')) where details ->> 'messageId' is not null;

create index vehicles_last_changed on vehicles (company_id, changed_at, id);
create index vehicles_of_status on vehicles (company_id, status, changed_at, id);
-- By what their ids begin with, whatever the case of the letters and the rules of the database for text.
create index vehicles_by_id on vehicles (company_id, lower(id collate "C"), (id collate "C"), status);
`

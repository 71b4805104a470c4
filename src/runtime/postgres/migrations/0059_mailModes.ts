/**
 * Mail of test journeys stands apart from live mail, which goes first. Mail that is about no journey counts as live, and so does what a
 * node of before writes during an upgrade. What is still due learns its mode here.
 */
export const sql = `
alter table mails add column livemode boolean not null default true;
update mails m set livemode = false from journeys j where j.id = m.journey_id and not j.livemode and m.due_at is not null;
drop index mails_due_of_company;
create index mails_due_of_company on mails (company_id, livemode, due_at) where due_at is not null;
`

/**
 * The handovers that a named dealer sees, newest first: when a journey's handover was created becomes a column that every commit
 * writes. A node of the earlier version that runs beside this one writes journeys without it: the dealer sees such a handover
 * after the journey's next message. Rows that are there already are filled in from their states.
 */

export const sql = `
alter table journeys add column handover_at timestamptz;
update journeys set handover_at = to_timestamp((state -> 'handover' ->> 'createdAt')::double precision / 1000)
where state -> 'handover' ->> 'createdAt' is not null;
drop index journeys_of_dealer;
create index journeys_of_dealer on journeys (dealer_company_id, handover_at desc, id desc)
  where dealer_company_id is not null and handover_at is not null;
`

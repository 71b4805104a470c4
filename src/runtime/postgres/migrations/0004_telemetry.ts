/**
 * What operators see: the span that last wrote a journey and the one that wrote an event, so that an alarm and a
 * delivery made later, or by another node, link back to them; and what a journey is and waits on as columns, so that
 * active journeys can be counted. What a journey from before this waits on is unknown until its next message, because
 * no statement can tell.
 */
export const sql = `
alter table journeys add column traceparent text;
alter table journeys add column type text;
alter table journeys add column waiting_on text;
alter table events add column traceparent text;
update journeys set waiting_on = 'UNKNOWN', type = case
    when state ->> 'shape' in ('FINANCE_ALREADY_SUBMITTED', 'FINANCE_SUBMIT_VIA_MIRA') then 'FINANCE_IDENTITY_DELIVERY'
    when state ->> 'shape' = 'IDENTITY_DELIVERY' then 'IDENTITY_DELIVERY'
    else 'DELIVERY' end
  where status = 'ACTIVE';
create index journeys_waiting on journeys (type, waiting_on) where status = 'ACTIVE';
create index journeys_set_aside on journeys (set_aside_at) where set_aside_at is not null;
`

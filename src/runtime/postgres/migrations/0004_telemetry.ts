/**
 * What operators see. The span that last wrote a journey, and the span that wrote an event, are kept: an alarm or a delivery
 * that happens later, or on another node, links back to them. The type of a journey and what it waits for become columns, so
 * that active journeys can be counted. What an older journey waits for stays unknown until its next message, because this
 * migration cannot tell.
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

/**
 * What statements filter journeys by becomes columns: the customer's step, the open review, the status of the identity check,
 * and the end of the journey. Every commit writes these columns, so that no statement reads inside the state any more. This
 * migration fills in the rows of earlier versions by the same rules.
 */

/** Fills in the columns of every journey from its state. */
export const fillFromState = `
update journeys j set
  identity_status = s.identity,
  identity_check = coalesce((state -> 'identity' ->> 'check')::integer, 0),
  ended_at = case when status <> 'ACTIVE' then to_timestamp((state ->> 'lastEventAt')::double precision / 1000) end,
  step = case
    when status <> 'ACTIVE' then null
    when s.handover = 'AWAITING_LOCATION' then 'CONFIRM_ADDRESS'
    when s.handover = 'AWAITING_VIDEO' then 'RECORD_VIDEO'
    when s.handover in ('VIDEO_UPLOADED', 'UNDER_REVIEW') then null
    when s.identity in ('REQUESTED', 'FAILED') then 'VERIFY_IDENTITY' end,
  review = case
    when status <> 'ACTIVE' then null
    when s.handover = 'UNDER_REVIEW' then 'VIDEO'
    when s.handover in ('AWAITING_LOCATION', 'AWAITING_VIDEO', 'VIDEO_UPLOADED') then null
    when s.identity = 'UNDER_REVIEW' then 'IDENTITY'
    when s.identity = 'UNAVAILABLE' then 'CHECK_UNAVAILABLE' end
from (select id, state -> 'identity' ->> 'status' as identity, state -> 'handover' ->> 'status' as handover from journeys) s
where s.id = j.id;
`

export const sql = `
-- step: what the customer is asked to do. review: what the company's team has to look at. identity_check: the number of
-- the ask. All of them say what the state says.
alter table journeys add column step text;
alter table journeys add column review text;
alter table journeys add column identity_status text;
alter table journeys add column identity_check integer not null default 0;
alter table journeys add column ended_at timestamptz;
${fillFromState}
drop index journeys_in_review;
create index journeys_in_review on journeys (company_id, livemode) where review is not null;
`

/**
 * The counts of attempts at webhook endpoints by hour and by the receiver's time, from which their statistics are read, and
 * the signature of each attempt. What was attempted in the week before is counted here by the rules of
 * `actors/webhook/rules/attemptStatistics.ts`; the signatures of those attempts are not known.
 */
export const sql = `
alter table attempts add column signature text;

-- step: which step of time the attempts took; -1: nothing was heard. Many writes go to few rows, so there is room in each page.
create table endpoint_hours (
  endpoint_id uuid not null,
  hour timestamptz not null,
  step integer not null,
  delivered integer not null,
  failed integer not null,
  primary key (endpoint_id, hour, step)
) with (fillfactor = 50);
create index endpoint_hours_old on endpoint_hours (hour);

insert into endpoint_hours (endpoint_id, hour, step, delivered, failed)
select w.id, date_trunc('hour', a.at, 'UTC'),
  case when a.http_status is null and a.error is distinct from 'TIMEOUT' then -1
    else ceil(round((4 * ln(greatest(a.duration_millis, 1)) / ln(2::numeric))::numeric, 6))::integer end,
  count(*) filter (where a.http_status between 200 and 299),
  count(*) filter (where a.http_status is null or a.http_status not between 200 and 299)
from attempts a
join events e on e.id = a.event_id and e.sequence > 0
join webhook_endpoints w on w.company_id = e.company_id and w.livemode = e.livemode
where a.at >= now() - interval '8 days' and a.trigger <> 'TEST' and a.error is distinct from 'SERVICE_FAILURE'
group by 1, 2, 3;
`

/**
 * What operators look at over all companies: journeys by what they wait on and since when, why a journey was set aside, the
 * endpoints that nothing reaches, and companies by the beginning of their name. Why older journeys were set aside is not
 * known and stays null.
 */
export const sql = `
alter table journeys add column set_aside_reason text check (set_aside_reason in ('UNREADABLE', 'REFUSED', 'FAILED'));
create index journeys_longest_waiting on journeys (waiting_on, waiting_since, id) where status = 'ACTIVE';
create index webhook_endpoints_failing on webhook_endpoints (failing_since, id)
  where failing_since is not null and removed_at is null;
create index companies_by_name on companies (lower(name) text_pattern_ops);
`

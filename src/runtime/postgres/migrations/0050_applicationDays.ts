/**
 * How long a company keeps declined applications. Companies that are here keep them as before, until they choose. The index has the
 * cancelled journeys whose application is here; a journey leaves it when its application goes.
 */
export const sql = `
alter table companies add column application_retention_days int not null default 0;
alter table journeys add column application_erased_at timestamptz;
create index journeys_with_application on journeys (company_id, ended_at)
  where livemode and type = 'FINANCE_IDENTITY_DELIVERY' and status = 'CANCELLED' and application_erased_at is null;
`

/** A company's brand, and the logo that the brand names by its digest. A company has one logo at most. */
export const sql = `
alter table companies add column brand json not null
  default '{"logo": null, "colour": null, "telephone": null, "hours": null, "returnUrl": null}';

create table company_logos (
  company_id uuid primary key references companies (id),
  digest text not null,
  type text not null,
  bytes bytea not null
);

create index company_logos_by_digest on company_logos (digest);
`

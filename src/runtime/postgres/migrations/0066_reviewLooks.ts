/** Who has a review open, said again while its page is looked at. A row is over when nothing was said for a while. */
export const sql = `
create table review_looks (
  review_id uuid not null,
  actor text not null,
  company_id uuid not null,
  since timestamptz not null,
  seen_at timestamptz not null,
  primary key (review_id, actor)
);
create index review_looks_old on review_looks (seen_at);
`

/**
 * What outside identity providers send with a result: the customer's portrait, with which the handover video is compared, and
 * the provider's own page about the check. Both are sealed with the customer's key.
 */
export const sql = `
-- id is the id of the message that told the journey the result. is_decided: what the team looked at is removed; the
-- portrait is left only as the face of a verified customer.
create table provider_results (
  id uuid primary key,
  journey_id uuid not null,
  customer_id uuid not null,
  check_number integer not null,
  sealed_portrait bytea,
  sealed_review_url bytea,
  at timestamptz not null,
  is_decided boolean not null default false
);
alter table provider_results alter column sealed_portrait set storage external;
create index provider_results_of_journey on provider_results (journey_id);
create index provider_results_undecided on provider_results (at) where not is_decided;
`

/**
 * Whether the id by which an outside provider knows a request bears the installation's mark. Requests of before bear none, and neither do
 * those that a node of the version before makes during an upgrade. Such a node would ask a second time, under another id, what a node of
 * this version has asked already: the database answers it that this is not possible now, and it tries again later, until a node of this
 * version does.
 */
export const sql = `
alter table provider_requests add column is_marked boolean not null default false;
create index provider_requests_unmarked on provider_requests (created_at) where not is_marked;

create function refuse_second_request() returns trigger language plpgsql as $$
begin
  if exists (
    select from provider_requests where journey_id = new.journey_id and kind = new.kind and is_marked
      and check_number is not distinct from new.check_number
  ) then
    raise exception 'a node of a newer version has asked this provider' using errcode = 'lock_not_available';
  end if;
  return new;
end $$;
create trigger providers_are_asked_once before insert on provider_requests for each row when (not new.is_marked)
  execute function refuse_second_request();
`

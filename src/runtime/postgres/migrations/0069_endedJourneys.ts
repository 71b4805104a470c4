/**
 * The journeys that have ended and whose photos and videos are not removed yet, in the order in which a company keeps them no longer:
 * retention reads those that are due, and not everything that is kept. The database writes the rows itself, so that no node of an earlier
 * version leaves one out. Journeys that ended before are added by the next migration, which holds up nobody.
 */
export const sql = `
create table ended_journeys (
  company_id uuid not null,
  ended_at timestamptz not null,
  journey_id uuid not null,
  primary key (company_id, ended_at, journey_id)
);

create function note_ended_journey() returns trigger language plpgsql as $$
begin
  insert into ended_journeys (company_id, ended_at, journey_id) values (new.company_id, new.ended_at, new.id) on conflict do nothing;
  return null;
end $$;
create trigger ended_journeys_are_noted after update of ended_at on journeys
  for each row when (old.ended_at is null and new.ended_at is not null) execute function note_ended_journey();
create trigger journeys_begun_ended_are_noted after insert on journeys
  for each row when (new.ended_at is not null) execute function note_ended_journey();
`

/**
 * The wide tables that only grow are cut into months: `journal`, `events` and `attempts`. A month that has no row left is taken away
 * whole, whatever its size was (`work/Months.ts`).
 *
 * Ids begin with the time at which they were made, so a month is a range of ids, and no key of a table needs another column. The lines
 * of a journey stand together in the month in which the journey began; an event stands in the month in which it happened, and so do the
 * attempts to deliver it. A look-up by the id that a table is cut by goes to one month. Any other reads an index of each month: events of
 * a journey, a message by the Request-Id, the list of a company's events, whose months are merged in their order. So (journey_id,
 * sequence) of events is unique within a month only. The version of the journey guards it over all months, as it did before.
 *
 * A table keeps its rows where they are. With its rows it becomes the part `_before`, up to the end of this month; without any it makes
 * room for a part of this month. The part `_other` takes ids that no month takes: those that nobody made by the clock. Later migrations
 * change the whole tables, and PostgreSQL the months with them.
 *
 * These stay whole: `deliveries` are narrow and change, and everybody asks for what is due or unfinished of an endpoint, over all
 * months at once; mails are known by their cause, which has no time; `audit` and `wallet_ledger` are written by few
 * requests, prove the past and never leave, and a chain has one order over all months; `journeys` have a unique key of the
 * caller's, which holds for ever.
 *
 * The functions work with the rights of the owner of the tables, because the role of the service owns none.
 */

/** Tables by the column that has the time. */
const cut = [
  ["journal", "journey_id"],
  ["events", "id"],
  ["attempts", "event_id"]
] as const

const tables = cut.map(([table]) => `'${table}'`).join(", ")

/** A long read holds these locks, and everybody would wait behind whoever waits for the long read: better to come again. */
const ownersWork = "security definer set lock_timeout = '200ms'"

export const sql = `
-- The lowest UUID of version 7 that is made at a time.
create function first_id_at(at timestamptz) returns uuid language sql immutable strict as $$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- The beginning of the month so many months after a time, in UTC.
create function month_from(at timestamptz, later integer) returns timestamptz language sql immutable strict as $$
  select (date_trunc('month', at at time zone 'UTC') + later * interval '1 month') at time zone 'UTC'
$$;

-- The parts of the tables that are cut, but for the parts of what no month takes. after_last: the lowest id that is too late for the part.
create view month_parts as
select w.relname::text as whole, p.relname::text as part,
  substring(pg_get_expr(p.relpartbound, p.oid) from 'TO \\(''([0-9a-f-]+)''\\)')::uuid as after_last
from pg_class w join pg_inherits i on i.inhparent = w.oid join pg_class p on p.oid = i.inhrelid
where w.relnamespace = current_schema()::regnamespace and w.relname in (${tables}) and p.relname <> w.relname || '_other';

-- Makes the parts of this month and of the two after it, where they are missing, and says how many it made. A month of which the part
-- of what no month takes has rows already is left to that part.
create function make_months(cut_table text, at timestamptz) returns integer language plpgsql ${ownersWork} as $$
declare
  begins uuid;
  ends uuid;
  key text := (select attname from pg_attribute a join pg_partitioned_table t on t.partrelid = a.attrelid
    where t.partrelid = cut_table::regclass and a.attnum = t.partattrs[0]);
  part text;
  is_taken boolean;
  made integer := 0;
begin
  for later in 0 .. 2 loop
    begins := first_id_at(month_from(at, later));
    ends := first_id_at(month_from(at, later + 1));
    continue when exists (select from month_parts p where p.whole = cut_table and p.after_last > begins);
    execute format('select exists (select from %I where %I >= %L and %I < %L)', cut_table || '_other', key, begins, key, ends)
      into is_taken;
    continue when is_taken;
    part := cut_table || to_char(month_from(at, later) at time zone 'UTC', '_YYYY_MM');
    execute format('create table %I (like %I including all)', part, cut_table || '_other');
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', cut_table, part, begins, ends);
    made := made + 1;
  end loop;
  return made;
end $$;

-- Takes away one part that ended a month ago or earlier and has no row, and says whether there was one.
create function drop_empty_month(cut_table text, at timestamptz) returns boolean language plpgsql ${ownersWork} as $$
declare
  old_part text;
  has_rows boolean;
begin
  for old_part in
    select p.part from month_parts p where p.whole = cut_table and p.after_last <= first_id_at(month_from(at, -1)) order by p.after_last
  loop
    execute format('select exists (select from %I)', old_part) into has_rows;
    continue when has_rows;
    -- Nobody writes from here on, so the answer stays.
    execute format('lock table only %I in access exclusive mode', cut_table);
    execute format('select exists (select from %I)', old_part) into has_rows;
    continue when has_rows;
    execute format('drop table %I', old_part);
    return true;
  end loop;
  return false;
end $$;

create function cut_into_months(cut_table text, key text, indexes text) returns void language plpgsql as $$
declare
  old_part text := cut_table || '_before';
  other_part text := cut_table || '_other';
  begins_next uuid := first_id_at(month_from(now(), 1));
  has_rows boolean;
  old_index text;
  old_grant record;
begin
  execute format('lock table %I in access exclusive mode', cut_table);
  execute format('alter table %I rename to %I', cut_table, old_part);
  for old_index in
    select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = old_part::regclass
  loop
    execute format('alter index %I rename to %I', old_index, old_index || '_before');
  end loop;
  execute format('create table %I (like %I including defaults including constraints including storage) partition by range (%I)',
    cut_table, old_part, key);
  execute format('create table %I (like %I including all)', other_part, old_part);
  execute format('select exists (select from %I)', old_part) into has_rows;
  if has_rows then
    execute format('with later as (delete from %I where %I >= %L returning *) insert into %I select * from later',
      old_part, key, begins_next, other_part);
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', cut_table, old_part, begins_next);
  end if;
  for old_grant in
    select a.privilege_type, case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as grantee
    from pg_class c cross join aclexplode(c.relacl) a where c.oid = old_part::regclass and a.grantee <> c.relowner
  loop
    execute format('grant %s on %I to %s', old_grant.privilege_type, cut_table, old_grant.grantee);
  end loop;
  if not has_rows then
    execute format('drop table %I', old_part);
  end if;
  execute format('alter table %I attach partition %I default', cut_table, other_part);
  execute indexes;
  perform make_months(cut_table, now());
end $$;

select cut_into_months('journal', 'journey_id', $$
  alter table journal add primary key (journey_id, version);
  create index journal_by_request on journal (request_id) where request_id is not null;
$$);
select cut_into_months('events', 'id', $$
  create unique index events_by_id on events (id);
  create index events_as_committed on events (company_id, livemode, tx, id);
$$);
select cut_into_months('attempts', 'event_id', $$
  alter table attempts add primary key (event_id, number);
$$);
drop function cut_into_months(text, text, text);

-- Whoever calls these with the owner's rights finds the tables of this schema, and no others of these names.
do $path$ begin
  execute format('alter function make_months(text, timestamptz) set search_path to %I, pg_temp', current_schema());
  execute format('alter function drop_empty_month(text, timestamptz) set search_path to %I, pg_temp', current_schema());
end $path$;
`

/**
 * The audit log can only grow. Each line has its place in the log of its company, and a hash over the hash of the line before and
 * over its own content. The database makes both, so lines of earlier versions of the service have them too; lines that are there
 * already get theirs here. Whoever changes a line, or takes one out, breaks every hash after it (`PostgresAuditChain.ts`).
 *
 * A company's lines come one after the other: the lock is of the company, and is held until the statement that writes the line
 * is committed. Statements that write no line take no lock.
 */
const hashOf = (line: string, before: string) => `sha256(${before} || convert_to(
    json_build_array(${line}.id, ${line}.company_id, ${line}.number, ${line}.actor, ${line}.action, ${line}.details,
      (extract(epoch from ${line}.at) * 1000000)::bigint)::text, 'UTF8'))`

export const sql = `
alter table audit add column number bigint, add column hash bytea;

do $fill$
declare
  line audit;
  company uuid;
  last_number bigint;
  last_hash bytea;
begin
  for line in select * from audit order by company_id, id loop
    if company is distinct from line.company_id then
      company := line.company_id;
      last_number := 0;
      last_hash := ''::bytea;
    end if;
    line.number := last_number + 1;
    line.hash := ${hashOf("line", "last_hash")};
    update audit set number = line.number, hash = line.hash where id = line.id;
    last_number := line.number;
    last_hash := line.hash;
  end loop;
end $fill$;

alter table audit alter column number set not null, alter column hash set not null;
create unique index audit_chain on audit (company_id, number);

create function chain_audit_line() returns trigger language plpgsql as $$
declare
  last_number bigint;
  last_hash bytea;
begin
  -- The first number is the log's own: locks of other things have other first numbers.
  perform pg_advisory_xact_lock(1635083369, hashtext(new.company_id::text));
  select number, hash into last_number, last_hash from audit where company_id = new.company_id order by number desc limit 1;
  new.number := coalesce(last_number, 0) + 1;
  new.hash := ${hashOf("new", "coalesce(last_hash, ''::bytea)")};
  return new;
end $$;
create trigger audit_lines_are_chained before insert on audit for each row execute function chain_audit_line();

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log keeps what was written' using errcode = 'restrict_violation';
end $$;
create trigger audit_lines_stay before update or delete on audit for each row execute function refuse_audit_change();
create trigger audit_log_stays before truncate on audit for each statement execute function refuse_audit_change();
`

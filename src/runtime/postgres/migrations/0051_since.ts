/**
 * Since when something is as it is: the role of a member, the providers of a company, the address of a customer. The journal of what has
 * ended names that time, so a restored backup, in which the value is older, is told from a database that knows of the change. The
 * database writes the times itself: nodes of earlier versions do not, and two nodes' clocks differ. Null: it was never another.
 */
export const since = (table: string, column: string, name: string): string => `
alter table ${table} add column ${name} timestamptz;
create function note_${table}_${name}() returns trigger language plpgsql as $$
begin
  new.${name} := greatest(old.${name} + interval '1 millisecond', date_trunc('milliseconds', clock_timestamp()));
  return new;
end $$;
create trigger ${table}_${name}_is_noted before update of ${column} on ${table}
  for each row when (old.${column} is not null and old.${column}::text is distinct from new.${column}::text) execute function note_${table}_${name}();
`

export const sql = `
${since("members", "role", "role_since")}
${since("companies", "identity_provider", "identity_provider_since")}
${since("companies", "finance_panel", "finance_panel_since")}
${since("companies", "admin_email", "admin_email_since")}
${since("customers", "email_index", "address_since")}

-- The address in the customer's records was corrected after the backup from which they come: nothing is mailed to it.
alter table customers add column address_ended_at timestamptz;
`

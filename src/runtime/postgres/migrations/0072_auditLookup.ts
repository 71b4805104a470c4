/**
 * The function that chains the audit log finds the line before in this schema's table. Without this it finds a temporary table of the same
 * name first: whoever had the service's role could so give lines numbers and hashes of their own choice, and break a chain for good.
 */
export const sql = `
do $path$ begin
  execute format('alter function chain_audit_line() set search_path to %I, pg_temp', current_schema());
end $path$;
`

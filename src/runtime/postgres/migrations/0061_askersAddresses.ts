/**
 * From which address of the network a line of the audit log was asked for. It is personal and ends, and the log's own lines never change:
 * so it stands beside them, and their hashes know nothing of it. No foreign key: its check would ask for a right to the log that the
 * service may have given up.
 */
export const sql = `
create table audit_addresses (
  line_id bigint primary key,
  ip_address text not null,
  at timestamptz not null
);
create index audit_addresses_oldest on audit_addresses (at);
`

/**
 * Whether the secret of a link or a session bears the installation's mark. Secrets of before bear none, and neither do those that a node
 * of the version before makes; while a table has such a row, a secret without a mark is looked up in it.
 */
const tables = ["sign_in_links", "customer_sessions", "console_links", "console_sessions"]

export const sql = tables
  .map(
    (table) => `
alter table ${table} add column is_marked boolean not null default false;
create index ${table}_unmarked on ${table} (is_marked) where not is_marked;`
  )
  .join("\n")

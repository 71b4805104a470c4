/**
 * When the first link of a mail was issued, and when one of them was used, as columns of one row. An older version of the service
 * had one link for a mail, with the mail's id as its own. `mail` is how the statement names the id.
 *
 * One look into each of the two indexes: our connections have no bitmap scans (`postgres/pool.ts`), and without them PostgreSQL
 * answers an `or` over two indexes by reading every link there is.
 */
export const firstLinkOf = (table: "sign_in_links" | "console_links", mail: string): string => `
  select min(l.issued_at) as issued_at, max(l.used_at) as used_at from (
    select issued_at, used_at from ${table} where of_mail = ${mail}
    union all
    select issued_at, used_at from ${table} where mail_id = ${mail}
  ) l`

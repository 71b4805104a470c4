/**
 * The CTEs that spend the link whose hash is $1, by the time $2: all links of its mail are spent with it. `spent` is the row of the link
 * itself, or none. `open` selects that link, if it is open.
 *
 * A statement that waits sees of the rows that it locks what others have written meanwhile, and of no other row. So it locks all links of
 * the mail that it sees, always in one order, and trusts these rows alone. Of two statements for links of one mail, the one that began
 * later sees both links, and each sees at least the link of the one that began first: that row is spent by whichever comes first.
 */
export const spentLinks = (table: "sign_in_links" | "console_links", open: string): string => `
mail as (
  select l.token_hash, l.used_at from ${table} l where l.token_hash = any(array(
    select coalesce(o.token_hash, t.token_hash) from (${open}) t left join ${table} o on o.of_mail = t.of_mail
  ))
  order by l.token_hash for update
), used as (
  update ${table} l set used_at = $2 from mail
  where l.token_hash = mail.token_hash and not exists (select from mail where used_at is not null)
  returning l.*
), spent as (
  select * from used where token_hash = $1
)`

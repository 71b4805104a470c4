/**
 * The statement by which a node takes mails up. A mail that a person waits for goes first: to sign in, an invitation, a link that
 * a customer has asked for. For the rest the companies take turns, whatever each of them owes. What a mail says, and what
 * becomes of it, is not the business of this file.
 *
 * | parameter | is                                                             |
 * |-----------|----------------------------------------------------------------|
 * | $1, $2    | now, and until when the mails are taken                        |
 * | $3, $4    | the kinds that this version knows, and those to customers      |
 * | $5        | the tries in which a mail holds back the next of its journey   |
 * | $6        | how many                                                       |
 * | $7        | the company whose turn it was last                             |
 */
import { storeLimits } from "./limits.ts"

/** The order of the mails of one journey. Causes of one journey differ in a number at their end. */
export const owedOrder = (mail: string): string => `(${mail}.created_at, length(${mail}.cause), ${mail}.cause)`

/** Where the companies' turns begin. */
export const beforeAllCompanies = "00000000-0000-0000-0000-000000000000"

/** Somebody waits for the mail. An index has this condition, word for word. */
const isAwaited = "(m.kind in ('SIGN_IN', 'INVITATION') or m.cause like '%|asked|%')"

/**
 * A mail that is taken or waits for its next try holds back the later mails of its journey to the same recipient; a mail that
 * waits for its customer to leave holds back none. Kinds that only a newer version knows are left to that version.
 */
const isReady = `
  m.due_at <= $1::timestamptz and m.kind = any($3::text[]) and not exists (
    select from mails e where e.journey_id = m.journey_id and e.due_at is not null and e.tries < $5::int4
      and (e.tries > 0 or e.due_at <= $1::timestamptz)
      and e.kind = any($3::text[]) and (e.kind = any($4::text[])) = (m.kind = any($4::text[]))
      and (e.member_id = m.member_id) is not false
      and ${owedOrder("e")} < ${owedOrder("m")}
  )`

/** The companies with due mail, by their ids, each found with one look into the index. */
const companies = (name: string, after: string, upTo: string) => {
  const next = (than: string) => `
    select m.company_id from mails m
    where m.due_at is not null and m.due_at <= $1::timestamptz and m.company_id > ${than}${upTo}
    order by m.company_id limit 1`
  return `${name} (company_id) as (
    (${next(after)})
    union all
    select (${next("o.company_id")}) from ${name} o where o.company_id is not null
  )`
}

const firstOf = (name: string, round: number) => `
  (select company_id, ${round} as round from ${name} where company_id is not null limit ${storeLimits.companiesInOneTurn})`

/**
 * A mail that another node is just taking is passed by. `due` names the chosen ids as an array too: by the join alone PostgreSQL
 * reads every due mail to lock sixteen of them.
 */
export const takeMailStatement = `
with recursive ${companies("later", "$7::uuid", "")}, ${companies("earlier", `'${beforeAllCompanies}'::uuid`, " and m.company_id <= $7::uuid")},
owing as materialized (
  select company_id, row_number() over (order by round, company_id)::int as place
  from (${firstOf("later", 1)} union all ${firstOf("earlier", 2)}) o
), chosen as materialized (
  (select m.id, 0 as turn, 0 as place from mails m
   where m.due_at is not null and ${isAwaited} and ${isReady} order by m.due_at limit $6::int4)
  union all
  select w.id, w.turn, o.place from owing o cross join lateral (
    select f.id, row_number() over (order by f.due_at)::int as turn from (
      select m.id, m.due_at from mails m
      where m.due_at is not null and m.company_id = o.company_id and ${isReady} order by m.due_at limit $6::int4
    ) f
  ) w
), first as materialized (
  select distinct on (id) id, turn, place from chosen order by id, turn
), due as materialized (
  select m.id, f.turn, f.place from mails m join first f on f.id = m.id
  where m.id = any(array(select id from first)) and m.due_at <= $1::timestamptz
  order by f.turn, f.place, m.due_at limit $6::int4 for update of m skip locked
), taken as (
  update mails m set tries = m.tries + 1, due_at = $2::timestamptz from due d where m.id = d.id
  returning m.*, d.turn, d.place
)
select t.id, t.kind, t.facts, t.tries, t.member_id, t.journey_id, t.traceparent, t.company_id, t.turn, t.place, c.name, c.admin_email, c.brand
from taken t join companies c on c.id = t.company_id`

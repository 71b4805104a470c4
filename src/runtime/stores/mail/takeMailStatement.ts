/**
 * The statement by which a node takes mails up. First goes a mail that somebody asked for just now: to sign in, and a link that a
 * customer has asked for. Then come invitations, and for the rest the companies take turns, whatever each of them owes: in each turn first
 * those with live mail, then those with mail about test journeys. No company gets more than its room, and live mail and test mail have
 * rooms of their own. What a mail says, and what becomes of it, is not the business of this file.
 *
 * | parameter | is                                                             |
 * |-----------|----------------------------------------------------------------|
 * | $1, $2    | now, and until when the mails are taken                        |
 * | $3, $4    | the kinds that this version knows, and those to customers      |
 * | $5        | after so many failed tries a mail holds back the next no more  |
 * | $6        | how many                                                       |
 * | $7        | the company whose turn it was last                             |
 * | $8        | how many of one company                                        |
 * | $9, $10   | companies with other room, and how many of each of them        |
 * | $11       | how many more of one company may be mails that were asked for  |
 * | $12       | whether only mails are taken that were asked for               |
 * | $13       | the mode of which each company of $9 has other room            |
 * | $14       | how many of one company about test journeys                    |
 */
import { storeLimits } from "../kernel/limits.ts"
import { smallestId } from "../../../schema/uuid.ts"

/** The order of the mails of one journey. Causes of one journey differ in a number at their end. */
export const owedOrder = (mail: string): string => `(${mail}.created_at, length(${mail}.cause), ${mail}.cause)`

/** The mail has failed fewer than `tries` times. A try that is under way has not failed yet. */
export const isInOrder = (mail: string, tries: string): string =>
  `(${mail}.tries < ${tries} or ${mail}.tries = ${tries} and ${mail}.in_hand)`

/** Where the companies' turns begin. */
export const beforeAllCompanies = smallestId

/** Somebody asked for the mail just now. */
const isAsked = "(m.kind = 'SIGN_IN' or m.cause like '%|asked|%')"
/** Somebody waits for the mail. An index has this condition, word for word, and the order of such mails. */
const isAwaited = "(m.kind in ('SIGN_IN', 'INVITATION') or m.cause like '%|asked|%')"
const awaitedOrder = "(m.kind = 'INVITATION'), m.due_at"

/**
 * A mail that is taken or waits for its next try holds back the later mails of its journey to the same recipient; a mail that
 * waits for its customer to leave holds back none. What waits behind a mail that is held (M9) is found out when it would leave
 * (`PostgresMailAllowances.ts`): mails that a hold of days keeps back would be read at each look. Kinds that only a newer version
 * knows are left to that version.
 */
const isReady = `
  m.due_at <= $1::timestamptz and m.kind = any($3::text[]) and not exists (
    select from mails e where e.journey_id = m.journey_id and e.due_at is not null
      and ${isInOrder("e", "$5::int4")}
      and (e.tries > 0 or e.due_at <= $1::timestamptz)
      and e.kind = any($3::text[]) and (e.kind = any($4::text[])) = (m.kind = any($4::text[]))
      and (e.member_id = m.member_id) is not false
      and ${owedOrder("e")} < ${owedOrder("m")}
  )`

/** The companies with such mail that is due, by their ids, each found with one look into the index. */
const companies = (name: string, after: string, such: string) => {
  const next = (than: string) => `
    select m.company_id from mails m
    where m.due_at is not null and m.due_at <= $1::timestamptz and m.company_id > ${than} and ${such}
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
 * A mail that another node is just taking is passed by. `due` names the chosen ids as an array too, and so does `taken`: by the join
 * alone PostgreSQL may read every mail to lock or change sixteen of them, above all while it takes the table for empty.
 */
export const takeMailStatement = `
with recursive ${companies("asking", `'${beforeAllCompanies}'::uuid`, isAwaited)},
${companies("later", "$7::uuid", "not $12::bool")},
${companies("earlier", `'${beforeAllCompanies}'::uuid`, "m.company_id <= $7::uuid and not $12::bool")},
owing as materialized (
  select company_id, row_number() over (order by round, company_id)::int as place
  from (${firstOf("later", 1)} union all ${firstOf("earlier", 2)}) o
), chosen as materialized (
  select a.company_id, w.livemode, w.id, w.due_at, w.turn, row_number() over (partition by a.company_id order by w.turn, w.due_at)::int as place
  from ${firstOf("asking", 0)} a cross join lateral (
    select m.id, m.livemode, m.due_at, case when ${isAsked} then -1 else 0 end as turn from mails m
    where m.due_at is not null and m.company_id = a.company_id and ${isAwaited} and ${isReady}
    order by ${awaitedOrder} limit $8::int4 + $11::int4
  ) w
  union all
  select o.company_id, mode.livemode, w.id, w.due_at, w.turn, o.place + mode.behind
  from owing o cross join (values (true, 0), (false, ${2 * storeLimits.companiesInOneTurn})) mode (livemode, behind) cross join lateral (
    select f.id, f.due_at, row_number() over (order by f.due_at)::int as turn from (
      select m.id, m.due_at from mails m
      where m.due_at is not null and m.company_id = o.company_id and m.livemode = mode.livemode and ${isReady}
      order by m.due_at limit case when mode.livemode then $8::int4 else $14::int4 end
    ) f
  ) w
), first as materialized (
  select distinct on (id) * from chosen order by id, turn
), numbered as materialized (
  select f.*, row_number() over (partition by f.company_id, f.livemode order by f.turn, f.place) as number,
    coalesce(r.room, case when f.livemode then $8::int4 else $14::int4 end) as room
  from first f left join unnest($9::uuid[], $10::int4[], $13::bool[]) r (company_id, room, livemode)
    on r.company_id = f.company_id and r.livemode = f.livemode
), fitting as materialized (
  select * from numbered
  where case when turn < 0 then number <= room + $11::int4 else number <= room and not $12::bool end
), due as materialized (
  select m.id, f.turn, f.place from mails m join fitting f on f.id = m.id
  where m.id = any(array(select id from fitting)) and m.due_at <= $1::timestamptz
  order by f.turn, f.place, m.due_at limit $6::int4 for update of m skip locked
), taken as (
  update mails m set tries = m.tries + 1, due_at = $2::timestamptz, in_hand = true
  from due d where m.id = d.id and m.id = any(array(select id from due))
  returning m.*, d.turn, d.place
)
select t.id, t.kind, t.facts, t.tries, t.member_id, t.journey_id, t.traceparent, t.company_id, t.livemode, t.turn, t.place, c.name, c.admin_email, c.brand
from taken t join companies c on c.id = t.company_id`

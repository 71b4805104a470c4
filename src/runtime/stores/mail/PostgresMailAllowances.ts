/**
 * What each address got within a day, in PostgreSQL: one row an address, with the mails and when they left. The row decides,
 * and it is locked while it does: nodes that ask at once come one after the other. What the company has sent is read beside it, from
 * counts by hour that are written when mails have left: a few mails that are under way are not in them. Old rows are removed by
 * retention, and an erased customer's row by the erasure.
 */
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mailLimits } from "../../../actors/mail/limits.ts"
import { MailAllowances, type MailHold } from "../../../actors/mail/allowances/MailAllowances.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { repeatableWrite } from "../../postgres/storeCalls.ts"
import { customerKinds, interval, perDay, standingSince } from "./mailStandingRows.ts"
import { isInOrder, owedOrder } from "./takeMailStatement.ts"

const { mostToAddress } = mailLimits

const longest = Math.max(...mostToAddress.map(({ within }) => Duration.toMillis(within)))

const hasPlace = mostToAddress
  .map(
    ({ mails, within }) =>
      `(select count(*) from others where at > $2::float8 - ${Duration.toMillis(within)}) < ${mails}`
  )
  .join(" and ")

const now = "to_timestamp($2::float8 / 1000)"

/**
 * When the earlier customer mails of the journey of `m` are due that were not due yet when `m` was taken: mail that is held (M9), and
 * mail that has been taken since, behind which `m` waits as ever. Mail that waits for its customer to leave holds back none.
 */
const behind = `
select max(case when e.tries = 0 then e.due_at else ${now} end) as due_at from mails e
where e.journey_id = m.journey_id and e.kind in (${customerKinds}) and ${owedOrder("e")} < ${owedOrder("m")}
  and e.due_at > m.due_at - ${interval(mailLimits.takenFor)} and ${isInOrder("e", String(mailLimits.triesInOrder))}
  and not (e.tries = 0 and e.facts ->> 'waits' is not distinct from 'true')`

/**
 * A mail that is tried again keeps its place, with the time of its last try. A mail that its company holds back, or an earlier mail of its
 * journey, takes no place.
 */
const admitStatement = `
with asked as (
  select m.company_id, m.traceparent, coalesce(c.email_index, p.address_index) as address_index,
    k.stopped_at is not null as is_stopped, coalesce(l.sent, 0) as sent, l.oldest, ${perDay("k", "o", now)} as per_day, b.due_at as behind_until
  from mails m left join companies o on o.id = m.company_id
    left join mail_standings k on k.company_id = m.company_id
    left join journeys j on j.id = m.journey_id and j.livemode
    left join customers c on c.id = j.customer_id
    left join members p on m.kind = 'INVITATION' and p.id = (m.facts ->> 'memberId')::uuid
    left join lateral (
      select sum(h.sent)::int4 as sent, min(h.hour) filter (where h.sent > 0) as oldest from mail_hours h
      where h.company_id = m.company_id and h.hour > ${standingSince(now)}
    ) l on true
    left join lateral (${behind}) b on true
  where m.id = $1::text::uuid and coalesce(c.email_index, p.address_index) is not null
), counted as (
  insert into mail_allowances as a (address_index, mails, last_at)
  select address_index, jsonb_build_object($1::text, $2::float8), ${now} from asked
  where not is_stopped and behind_until is null and (per_day is null or sent < per_day)
  on conflict (address_index) do update set last_at = excluded.last_at, mails = (
    with others as (
      select o.key as mail, o.value::float8 as at from jsonb_each(a.mails) o
      where o.key <> $1::text and o.value::float8 > $2::float8 - ${longest}
    )
    select coalesce(jsonb_object_agg(mail, at), '{}') from (
      select mail, at from others union all select $1::text, $2::float8 where ${hasPlace}
    ) counted
  )
  returning mails
), told as (
  insert into mails (id, cause, kind, company_id, facts, created_at, due_at, traceparent)
  select gen_random_uuid(), 'mail-limited|' || company_id || '|' || per_day, 'MAIL_LIMITED', company_id,
    json_build_object('perDay', per_day), ${now}, ${now}, traceparent
  from asked where not is_stopped and sent >= per_day
  on conflict (cause) do nothing
)
select a.is_stopped, a.behind_until, coalesce(c.mails, '{}') as mails,
  case when c.mails is null and not a.is_stopped then a.oldest + interval '${Duration.toMillis(mailLimits.standingOver)} milliseconds' end as free_at
from asked a left join counted c on true`

const AllowanceRow = rowModel({
  isStopped: column.bool,
  behindUntil: column.orNull(column.millis),
  freeAt: column.orNull(column.millis),
  mails: column.members
})

const holdOf = ({ behindUntil, freeAt, isStopped }: RowOf<typeof AllowanceRow>): MailHold | null => {
  if (behindUntil !== null) return { _tag: "Behind", until: behindUntil }
  if (isStopped) return { _tag: "Stopped" }
  return freeAt === null ? null : { _tag: "Over", freeAt }
}

export const layer = Layer.effect(
  MailAllowances,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return MailAllowances.of({
      admit: (mailId, asked) =>
        Effect.map(repeatableWrite(AllowanceRow.first(sql.unsafe(admitStatement, [mailId, asked]))), (row) =>
          row === null
            ? null
            : {
                isAdmitted: row.mails[mailId] === asked,
                counted: Object.values(row.mails).map(Number),
                held: holdOf(row)
              }
        )
    })
  })
)

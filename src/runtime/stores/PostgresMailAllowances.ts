/**
 * What each address got within a day, in PostgreSQL: one row an address, with the mails and when they left. The row decides,
 * and it is locked while it does: nodes that ask at once come one after the other. Old rows are removed by retention, and an
 * erased customer's row by the erasure.
 */
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mailLimits } from "../../actors/mail/limits.ts"
import { MailAllowances } from "../../actors/mail/MailAllowances.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { repeatableWrite } from "../postgres/storeCalls.ts"

const { mostToAddress } = mailLimits

const longest = Math.max(...mostToAddress.map(({ within }) => Duration.toMillis(within)))

const hasPlace = mostToAddress
  .map(
    ({ mails, within }) =>
      `(select count(*) from others where at > $2::float8 - ${Duration.toMillis(within)}) < ${mails}`
  )
  .join(" and ")

/** A mail that is tried again keeps its place, with the time of its last try. */
const admitStatement = `
insert into mail_allowances as a (address_index, mails, last_at)
select c.email_index, jsonb_build_object($1::text, $2::float8), to_timestamp($2::float8 / 1000)
from mails m join journeys j on j.id = m.journey_id join customers c on c.id = j.customer_id
where m.id = $1::text::uuid and j.livemode
on conflict (address_index) do update set last_at = excluded.last_at, mails = (
  with others as (
    select o.key as mail, o.value::float8 as at from jsonb_each(a.mails) o
    where o.key <> $1::text and o.value::float8 > $2::float8 - ${longest}
  )
  select coalesce(jsonb_object_agg(mail, at), '{}') from (
    select mail, at from others union all select $1::text, $2::float8 where ${hasPlace}
  ) counted
)
returning mails`

const AllowanceRow = rowModel({ mails: column.members })

export const layer = Layer.effect(
  MailAllowances,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return MailAllowances.of({
      admit: (mailId, now) =>
        Effect.map(repeatableWrite(AllowanceRow.first(sql.unsafe(admitStatement, [mailId, now]))), (row) =>
          row === null ? null : { isAdmitted: row.mails[mailId] === now, counted: Object.values(row.mails).map(Number) }
        )
    })
  })
)

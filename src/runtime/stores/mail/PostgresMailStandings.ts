/**
 * How the mail of each company to others stands, in PostgreSQL: one row for a company whose mail was stopped or has a number of its
 * own, and counts by hour. Whether too much came back is judged after each count, by a statement of its own: whoever comes second sees what
 * the first has counted.
 */
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mailLimits } from "../../../actors/mail/limits.ts"
import { MailStandings } from "../../../actors/mail/allowances/MailStandings.ts"
import { CompanyId } from "../../../schema/ids.ts"
import { StoppedBy } from "../../../schema/mail/MailStanding.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { afterLine, audited, lineOfChange, lineParameters } from "../kernel/auditedChange.ts"
import { countMails, isToOthers, perDay, standingSince } from "./mailStandingRows.ts"

const { mostReturned, returnedOfAtLeast } = mailLimits

const StandingRow = rowModel({
  stoppedAt: column.orNull(column.millis),
  stoppedBy: column.orNull(column.oneOf(StoppedBy)),
  perDay: column.orNull(column.number),
  sent: column.number,
  refused: column.number,
  reported: column.number
})

const lately = `
select coalesce(sum(sent), 0)::int4 as sent, coalesce(sum(refused), 0)::int4 as refused, coalesce(sum(reported), 0)::int4 as reported
from mail_hours where company_id = $1::uuid and hour > ${standingSince("$2::timestamptz")}`

const readStatement = `
select k.stopped_at, k.stopped_by, ${perDay("k", "o", "$2::timestamptz")} as per_day, l.sent, l.refused, l.reported
from companies o left join mail_standings k on k.company_id = o.id cross join (${lately}) l
where o.id = $1::uuid`

const judgeStatement = `
with lately as (${lately}), stopped as (
  insert into mail_standings as k (company_id, stopped_at, stopped_by)
  select $1::uuid, $2::timestamptz, 'RATE' from lately
  where sent + refused >= ${returnedOfAtLeast} and refused + reported > ${mostReturned} * (sent + refused)
  on conflict (company_id) do update set stopped_at = excluded.stopped_at, stopped_by = excluded.stopped_by
  where k.stopped_at is null
  returning *
), line as (
  insert into audit (company_id, actor, action, details, at)
  select s.company_id, 'service', 'mail.stopped',
    json_build_object('mails', l.sent + l.refused, 'returned', l.refused + l.reported), s.stopped_at
  from stopped s, lately l
)
insert into mails (id, cause, kind, company_id, facts, created_at, due_at)
select gen_random_uuid(), 'mail-stopped|' || s.company_id || '|' || s.stopped_at, 'MAIL_STOPPED', s.company_id,
  json_build_object('mails', l.sent + l.refused, 'returned', l.refused + l.reported), s.stopped_at, s.stopped_at
from stopped s, lately l
on conflict (cause) do nothing`

/** $6 whether the mail is stopped, null: as it is; $7 whether $8 is the number of mails from now on. */
const changeStatement = audited(`
  insert into mail_standings as k (company_id, stopped_at, stopped_by, per_day)
  values ($1::uuid, case when $${afterLine}::bool then $5::timestamptz end, case when $${afterLine}::bool then 'OPERATOR' end, $8::int4)
  on conflict (company_id) do update set
    stopped_at = case when $${afterLine}::bool is null then k.stopped_at when $${afterLine}::bool then coalesce(k.stopped_at, $5::timestamptz) end,
    stopped_by = case when $${afterLine}::bool is null then k.stopped_by when $${afterLine}::bool then coalesce(k.stopped_by, 'OPERATOR') end,
    per_day = case when $7::bool then $8::int4 else k.per_day end`)

const countAnewStatement = "delete from mail_hours where company_id = $1"

/** A mail that a node has taken is due before $3, and is left to that node. */
const wakeStatement = `
update mails set due_at = $2::timestamptz where due_at > $3::timestamptz and company_id = $1::uuid
  and not exists (select from mail_standings k where k.company_id = $1::uuid and k.stopped_at is not null)`

const MailRow = rowModel({ companyId: column.id(CompanyId) })

const mailStatement = `
select m.company_id from mails m left join journeys j on j.id = m.journey_id where m.id = $1::uuid and ${isToOthers("m", "j")}`

/** The customer's team hears of a bounce as it does of a mail that was refused at once (decision M7). */
const returnedStatement = `
with changed as (
  update mails set returned_as = $${afterLine + 1}::text where id = $${afterLine}::uuid and company_id = $1::uuid and returned_as is null
  returning *
), ${lineOfChange}, note as (
  insert into mails (id, cause, kind, company_id, journey_id, facts, created_at, due_at, traceparent)
  select gen_random_uuid(), id || '|undelivered', 'MAIL_UNDELIVERED', company_id, journey_id, json_build_object('mail', kind),
    $5::timestamptz, $5::timestamptz, traceparent
  from changed where returned_as = 'BOUNCE' and journey_id is not null
  on conflict (cause) do nothing
)
${countMails("reported", "select company_id, $5::timestamptz as at from changed")}`

export const layer = Layer.effect(
  MailStandings,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const judge = (companyId: CompanyId, now: number) =>
      Effect.asVoid(storeWrite(sql.unsafe(judgeStatement, [companyId, new Date(now)])))

    return MailStandings.of({
      judge,
      read: (companyId, now) =>
        Effect.map(
          storeRead(StandingRow.first(sql.unsafe(readStatement, [companyId, new Date(now)]))),
          (row) => row ?? { stoppedAt: null, stoppedBy: null, perDay: null, sent: 0, refused: 0, reported: 0 }
        ),
      change: Effect.fnUntraced(function* (companyId, { perDay: most, stopped }, line) {
        const takenUntil = new Date(line.at + Duration.toMillis(mailLimits.takenFor))
        const change = [stopped ?? null, most !== undefined, most ?? null]
        yield* Effect.gen(function* () {
          yield* sql.unsafe(changeStatement, [...lineParameters(companyId, line), ...change])
          if (stopped === false) yield* sql.unsafe(countAnewStatement, [companyId])
          yield* sql.unsafe(wakeStatement, [companyId, new Date(line.at), takenUntil])
        }).pipe(sql.withTransaction, storeWrite)
      }),
      returned: Effect.fnUntraced(function* (mailId, as, line) {
        const mail = yield* storeRead(MailRow.first(sql.unsafe(mailStatement, [mailId])))
        if (mail === null) return null
        yield* storeWrite(sql.unsafe(returnedStatement, [...lineParameters(mail.companyId, line), mailId, as]))
        yield* judge(mail.companyId, line.at)
        return mail
      })
    })
  })
)

/** The mail the service owes, in PostgreSQL. What is owed is written by the statements of whoever owes it. */
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { mailLimits } from "../../actors/mail/limits.ts"
import { MailStore, type KeptMail, type KeptNow, type TakenMail } from "../../actors/mail/MailStore.ts"
import { customerMailKinds } from "../../schema/mail/mailKinds.ts"
import { makeBatcher } from "../postgres/Batcher.ts"
import { pageOf } from "./companyRows.ts"
import { column, idColumn, textArray } from "../postgres/columns.ts"
import { endingInTime, tooManyWaiting } from "../postgres/timeouts.ts"
import { isRefusal } from "../postgres/sqlFailure.ts"
import { answered, writeFailure } from "../postgres/storeFailure.ts"

interface TakenRow {
  readonly id: string
  readonly kind: TakenMail["kind"]
  readonly facts: unknown
  readonly tries: number
  readonly company_id: string
  readonly name: string
  readonly admin_email: string
}

interface KeptRow {
  readonly id: string
  readonly kind: KeptMail["kind"]
  readonly company_id: string
  readonly journey_id: string | null
  readonly created_at: Date
  readonly sealed: Uint8Array
  readonly wrapped_key: Uint8Array | null
}

interface Sent {
  readonly id: string
  readonly at: number
}

/** Mails whose outcome one statement records at most. */
const largestWrite = 64

/** The order in which mails of one journey were owed: causes of one journey differ in a number at their end. */
export const owedOrder = (mail: string): string => `(${mail}.created_at, length(${mail}.cause), ${mail}.cause)`

// A mail that another hand is just taking is passed by. Kinds of a newer service are left to it. One that is in hand,
// or waits for its next try, holds back the later ones to the same recipient. Ordered by nothing but the
// index: a backlog of mails that are due at once is not sorted for each of them.
const takeStatement = `
with due as materialized (
  select m.id from mails m where m.due_at <= $1::timestamptz and m.kind = any($3::text[]) and not exists (
    select from mails e where e.journey_id = m.journey_id and e.due_at is not null and e.tries < $5::int4
      and e.kind = any($3::text[]) and (e.kind = any($4::text[])) = (m.kind = any($4::text[]))
      and ${owedOrder("e")} < ${owedOrder("m")}
  )
  order by m.due_at limit $6::int4 for update skip locked
), taken as (
  update mails set tries = tries + 1, due_at = $2::timestamptz where id in (select id from due) returning *
)
select t.id, t.kind, t.facts, t.tries, t.company_id, c.name, c.admin_email
from taken t join companies c on c.id = t.company_id`

// Sent is sent, whoever has taken the mail since; every other outcome is its taker's alone.
const sentStatement = `
update mails m set due_at = null, sent_at = t.at, given_up_at = null, struck_off_at = null
from unnest($1::uuid[], $2::timestamptz[]) as t (id, at) where m.id = t.id and m.sent_at is null`
const stillTaken = "where id = $1 and tries = $2 and due_at is not null"
const againStatement = `update mails set due_at = $3 ${stillTaken}`
const struckOffStatement = `update mails set due_at = null, struck_off_at = $3 ${stillTaken}`
const givenUpStatement = `
with over as (
  update mails set due_at = null, given_up_at = $3::timestamptz ${stillTaken} returning id, company_id, journey_id
)
insert into mails (id, cause, kind, company_id, journey_id, facts, created_at, due_at)
select $4::uuid, o.id || '|undelivered', 'MAIL_UNDELIVERED', o.company_id, o.journey_id, $5::json, $3, $3
from over o join journeys j on j.id = o.journey_id
where $4::uuid is not null and j.livemode
on conflict (cause) do nothing`
// It has been sent by that: writing the row, and its entry in each index, a second time would only say so again.
const keptStatement = `
update mails m set to_index = t.to_index, sealed = t.sealed, due_at = null, sent_at = coalesce(m.sent_at, t.at),
  given_up_at = null, struck_off_at = null
from unnest($1::uuid[], $2::timestamptz[], $3::bytea[], $4::bytea[]) as t (id, at, to_index, sealed) where m.id = t.id`

// Mail to a customer is sealed with their key: without it nothing of it can be shown.
const keptMails = `
from (
  select m.*, case when m.kind = any($3::text[]) then c.wrapped_key end as wrapped_key,
    m.kind = any($3::text[]) and c.wrapped_key is null as is_erased
  from mails m left join journeys j on j.id = m.journey_id left join customers c on c.id = j.customer_id
  where m.sealed is not null and ($1::bytea is null or m.to_index = $1) and ($2::uuid is null or m.journey_id = $2)
) m where not m.is_erased`

const toCustomers = textArray(customerMailKinds)

const takenMail = (row: TakenRow): TakenMail => ({
  id: row.id,
  kind: row.kind,
  facts: row.facts,
  company: { id: row.company_id, name: row.name, adminEmail: row.admin_email },
  tries: row.tries
})

const keptMail = (row: KeptRow): KeptMail => ({
  id: row.id,
  kind: row.kind,
  companyId: row.company_id,
  journeyId: row.journey_id,
  createdAt: row.created_at.getTime(),
  sealed: row.sealed,
  wrappedKey: row.wrapped_key
})

const inTime = <A>(statement: Effect.Effect<A, SqlError>) => endingInTime(statement).pipe(Effect.catch(writeFailure))

export const layer = Layer.effect(
  MailStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const write = (statement: string, columns: ReadonlyArray<unknown>) =>
      Effect.asVoid(inTime(sql.unsafe(statement, columns)))
    const recording = <Mail extends { readonly id: string; readonly at: number }>(
      name: string,
      statement: string,
      others: (mails: ReadonlyArray<Mail>) => ReadonlyArray<unknown>
    ) =>
      makeBatcher({
        name,
        fibers: 1,
        largestBatch: largestWrite,
        isRefusal,
        full: tooManyWaiting,
        run: (mails: ReadonlyArray<Mail>) =>
          Effect.as(
            endingInTime(
              sql.unsafe(statement, [
                idColumn(mails.map(({ id }) => id)),
                column(mails, PgTypes.OID.timestamptz, ({ at }) => new Date(at)),
                ...others(mails)
              ])
            ),
            mails.map(() => undefined)
          )
      })
    const sent = yield* recording<Sent>("MailStore.sent", sentStatement, () => [])
    const kept = yield* recording<KeptNow>("MailStore.kept", keptStatement, (mails) => [
      column(mails, PgTypes.OID.bytea, ({ toIndex }) => toIndex),
      column(mails, PgTypes.OID.bytea, ({ sealed }) => sealed)
    ])

    return MailStore.of({
      take: ({ kinds, most, now, until }) =>
        Effect.map(
          inTime(
            sql.unsafe<TakenRow>(takeStatement, [
              new Date(now),
              new Date(until),
              textArray(kinds),
              toCustomers,
              mailLimits.triesInOrder,
              most
            ])
          ),
          (rows) => rows.map(takenMail)
        ),
      sent: (id, at) => sent({ id, at }).pipe(Effect.catch(writeFailure)),
      again: ({ id, tries }, dueAt) => write(againStatement, [id, tries, new Date(dueAt)]),
      givenUp: ({ id, tries }, at, note) =>
        write(givenUpStatement, [
          id,
          tries,
          new Date(at),
          note?.id ?? null,
          note === null ? null : JSON.stringify({ mail: note.mail })
        ]),
      struckOff: ({ id, tries }, at) => write(struckOffStatement, [id, tries, new Date(at)]),
      kept: (mail) => kept(mail).pipe(Effect.catch(writeFailure)),
      list: ({ journeyId, toIndex, ...page }) =>
        pageOf(
          sql,
          {
            from: keptMails,
            order: "created_at desc, length(cause) desc, cause desc",
            values: [toIndex === null ? null : PgTypes.bytea(toIndex), journeyId, toCustomers]
          },
          page,
          keptMail
        ).pipe(answered)
    })
  })
)

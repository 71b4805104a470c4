/** The mail the service owes, in PostgreSQL. What is owed is written by the statements of whoever owes it. */
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { MailStore, type KeptMail, type TakenMail } from "../../actors/mail/MailStore.ts"
import { CompanyMailKind } from "../../schema/mail.ts"
import { pageOf } from "./companyRows.ts"
import { endingInTime } from "./patience.ts"
import { readFailure, writeFailure } from "./storeFailure.ts"

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
}

// A mail that another hand is just taking is passed by. Kinds of a newer service are left to it.
const takeStatement = `
with due as materialized (
  select id from mails where due_at <= $1::timestamptz and kind = any($3::text[])
  order by due_at, id limit 1 for update skip locked
), taken as (
  update mails set tries = tries + 1, due_at = $2::timestamptz where id in (select id from due) returning *
)
select t.id, t.kind, t.facts, t.tries, t.company_id, c.name, c.admin_email
from taken t join companies c on c.id = t.company_id`

// Sent is sent, whoever has taken the mail since; every other outcome is its taker's alone.
const sentStatement =
  "update mails set due_at = null, sent_at = $2, given_up_at = null where id = $1 and sent_at is null"
const stillTaken = "where id = $1 and tries = $2 and due_at is not null"
const againStatement = `update mails set due_at = $3 ${stillTaken}`
const givenUpStatement = `update mails set due_at = null, given_up_at = $3 ${stillTaken}`
const keptStatement = "update mails set to_index = $2, sealed = $3 where id = $1"

const kept =
  "from mails where sealed is not null and ($1::bytea is null or to_index = $1) and ($2::uuid is null or journey_id = $2)"

const kinds = Result.getOrThrow(PgTypes.array(CompanyMailKind.literals, PgTypes.OID.text))

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
  sealed: row.sealed
})

const inTime = <A>(statement: Effect.Effect<A, SqlError>) => endingInTime(statement).pipe(Effect.catch(writeFailure))

export const layer = Layer.effect(
  MailStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const write = (statement: string, columns: ReadonlyArray<unknown>) =>
      Effect.asVoid(inTime(sql.unsafe(statement, columns)))

    return MailStore.of({
      take: ({ now, until }) =>
        Effect.map(inTime(sql.unsafe<TakenRow>(takeStatement, [new Date(now), new Date(until), kinds])), ([row]) =>
          row === undefined ? null : takenMail(row)
        ),
      sent: (mailId, at) => write(sentStatement, [mailId, new Date(at)]),
      again: ({ id, tries }, dueAt) => write(againStatement, [id, tries, new Date(dueAt)]),
      givenUp: ({ id, tries }, at) => write(givenUpStatement, [id, tries, new Date(at)]),
      kept: (mailId, toIndex, sealed) => write(keptStatement, [mailId, PgTypes.bytea(toIndex), PgTypes.bytea(sealed)]),
      list: ({ journeyId, toIndex, ...page }) =>
        pageOf(
          sql,
          {
            from: kept,
            order: "created_at desc, id desc",
            values: [toIndex === null ? null : PgTypes.bytea(toIndex), journeyId]
          },
          page,
          keptMail
        ).pipe(Effect.catch(readFailure))
    })
  })
)

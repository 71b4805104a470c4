/**
 * Mail that the service still has to send, and mail that its built-in mailbox keeps, in PostgreSQL. Whoever causes a mail
 * writes its row in a statement of its own; this store takes mail up, records what became of it and lists what is kept.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mailLimits } from "../../actors/mail/limits.ts"
import { MailStore, type KeptNow } from "../../actors/mail/MailStore.ts"
import { Brand } from "../../schema/company/Brand.ts"
import { customerMailKinds, MailKind } from "../../schema/mail/mailKinds.ts"
import { makeBatcher } from "../postgres/Batcher.ts"
import { batchSource, batchStatement, eachItem } from "../postgres/batchStatement.ts"
import { batchLimits } from "../postgres/limits.ts"
import { readPage } from "../postgres/pages.ts"
import { bytesOrNull, textArray } from "../postgres/parameters.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { isRefusal } from "../postgres/sqlFailure.ts"
import { batchedWrite, storeRead, storeWrite } from "../postgres/storeCalls.ts"
import { tooManyWaiting, withStatementTimeout } from "../postgres/timeouts.ts"
import { CompanyId, JourneyId } from "../../schema/ids.ts"
import { beforeAllCompanies, takeMailStatement } from "./takeMailStatement.ts"

const TakenRow = rowModel({
  id: column.text,
  kind: column.oneOf(MailKind),
  facts: column.json,
  tries: column.number,
  journeyId: column.orNull(column.id(JourneyId)),
  traceparent: column.orNull(column.text),
  companyId: column.id(CompanyId),
  name: column.text,
  adminEmail: column.text,
  brand: column.ofSchema(Brand),
  turn: column.number,
  place: column.number
})

const KeptRow = rowModel({
  id: column.text,
  kind: column.oneOf(MailKind),
  companyId: column.id(CompanyId),
  journeyId: column.orNull(column.id(JourneyId)),
  createdAt: column.millis,
  sealed: column.bytes,
  wrappedKey: column.orNull(column.bytes)
})

interface Sent {
  readonly id: string
  readonly at: number
}

// A sent mail is recorded as sent, whoever has taken it since. Every other outcome is recorded only for its own taking.
const sentStatement = batchStatement(
  { mails: batchSource(eachItem<Sent>, { id: ["uuid", ({ id }) => id], at: ["timestamptz", ({ at }) => at] }) },
  ({ mails }) => `
update mails m set due_at = null, sent_at = t.at, given_up_at = null, struck_off_at = null
from (${mails}) t where m.id = t.id and m.sent_at is null`
)
const stillTaken = "where id = $1 and tries = $2 and due_at is not null"
const againStatement = `update mails set due_at = $3 ${stillTaken}`
const postponedStatement = `update mails set due_at = $3, tries = tries - 1 ${stillTaken}`
const struckOffStatement = `update mails set due_at = null, struck_off_at = $3 ${stillTaken}`
const givenUpStatement = `
with over as (
  update mails set due_at = null, given_up_at = $3::timestamptz ${stillTaken} returning id, company_id, journey_id, traceparent
)
insert into mails (id, cause, kind, company_id, journey_id, facts, created_at, due_at, traceparent)
select $4::uuid, o.id || '|undelivered', 'MAIL_UNDELIVERED', o.company_id, o.journey_id, $5::json, $3, $3, o.traceparent
from over o join journeys j on j.id = o.journey_id
where $4::uuid is not null and j.livemode
on conflict (cause) do nothing`

// Keeping a mail records it as sent in the same write: a second write would only touch the row and its indexes again.
const keptStatement = batchStatement(
  {
    mails: batchSource(eachItem<KeptNow>, {
      id: ["uuid", ({ id }) => id],
      at: ["timestamptz", ({ at }) => at],
      toIndex: ["bytea", ({ toIndex }) => toIndex],
      sealed: ["bytea", ({ sealed }) => sealed]
    })
  },
  ({ mails }) => `
update mails m set to_index = t.to_index, sealed = t.sealed, due_at = null, sent_at = coalesce(m.sent_at, t.at),
  given_up_at = null, struck_off_at = null
from (${mails}) t where m.id = t.id`
)

// Mail to a customer is sealed with the customer's key. Without that key nothing of the mail can be shown.
const keptMails = `
from (
  select m.*, case when m.kind = any($3::text[]) then c.wrapped_key end as wrapped_key,
    m.kind = any($3::text[]) and c.wrapped_key is null as is_erased
  from mails m left join journeys j on j.id = m.journey_id left join customers c on c.id = j.customer_id
  where m.sealed is not null and ($1::bytea is null or m.to_index = $1) and ($2::uuid is null or m.journey_id = $2)
) m where not m.is_erased`

const toCustomers = textArray(customerMailKinds)

export const layer = Layer.effect(
  MailStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const write = (statement: string, values: ReadonlyArray<unknown>) =>
      Effect.asVoid(storeWrite(sql.unsafe(statement, values)))
    const recording = <Mail>(name: string, statement: ReturnType<typeof batchStatement<Mail, "mails">>) =>
      makeBatcher({
        ...batchLimits.mailWrite,
        name,
        isRefusal,
        full: tooManyWaiting,
        run: (mails: ReadonlyArray<Mail>) =>
          Effect.as(
            withStatementTimeout(sql.unsafe(statement.text, statement.parameters(mails))),
            mails.map(() => undefined)
          )
      })
    const sent = yield* recording("MailStore.sent", sentStatement)
    const kept = yield* recording("MailStore.kept", keptStatement)

    /** The company whose turn it was last. Each node goes round by itself. */
    let servedLast: string = beforeAllCompanies

    return MailStore.of({
      take: Effect.fnUntraced(function* ({ kinds, most, now, until }) {
        const rows = yield* storeWrite(
          TakenRow.all(
            sql.unsafe(takeMailStatement, [
              new Date(now),
              new Date(until),
              textArray(kinds),
              toCustomers,
              mailLimits.triesInOrder,
              most,
              servedLast
            ])
          )
        )
        const inTurn = rows.toSorted((a, b) => a.turn - b.turn || a.place - b.place)
        servedLast = inTurn.findLast(({ turn }) => turn > 0)?.companyId ?? servedLast
        return inTurn.map(({ adminEmail, brand, companyId, facts, id, journeyId, kind, name, traceparent, tries }) => {
          const company = { id: companyId, name, adminEmail, brand }
          return { id, kind, facts, tries, journeyId, traceparent, company }
        })
      }),
      sent: (id, at) => batchedWrite(sent({ id, at })),
      again: ({ id, tries }, dueAt) => write(againStatement, [id, tries, new Date(dueAt)]),
      postponed: ({ id, tries }, dueAt) => write(postponedStatement, [id, tries, new Date(dueAt)]),
      givenUp: ({ id, tries }, at, note) =>
        write(givenUpStatement, [
          id,
          tries,
          new Date(at),
          note?.id ?? null,
          note === null ? null : JSON.stringify({ mail: note.mail })
        ]),
      struckOff: ({ id, tries }, at) => write(struckOffStatement, [id, tries, new Date(at)]),
      kept: (mail) => batchedWrite(kept(mail)),
      list: ({ journeyId, toIndex, ...page }) =>
        storeRead(
          readPage(
            sql,
            KeptRow,
            {
              from: keptMails,
              order: "created_at desc, length(cause) desc, cause desc",
              values: [bytesOrNull(toIndex), journeyId, toCustomers]
            },
            page
          )
        )
    })
  })
)

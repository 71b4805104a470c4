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
  brand: column.ofSchema(Brand)
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

/** The order of the mails of one journey. Causes of one journey differ in a number at their end. */
export const owedOrder = (mail: string): string => `(${mail}.created_at, length(${mail}.cause), ${mail}.cause)`

/**
 * Takes mails up ($2 ends the taking). It passes by a mail that another node is just taking, and leaves kinds that only a
 * newer version knows to that version. A mail that is taken or waits for its next try holds back the later mails of its
 * journey to the same recipient; a mail that waits for its customer to leave holds back none. Nothing but the index orders the due mails, so a backlog that is due at once is not
 * sorted for each of them.
 */
const takeStatement = `
with due as materialized (
  select m.id from mails m where m.due_at <= $1::timestamptz and m.kind = any($3::text[]) and not exists (
    select from mails e where e.journey_id = m.journey_id and e.due_at is not null and e.tries < $5::int4
      and (e.tries > 0 or e.due_at <= $1::timestamptz)
      and e.kind = any($3::text[]) and (e.kind = any($4::text[])) = (m.kind = any($4::text[]))
      and ${owedOrder("e")} < ${owedOrder("m")}
  )
  order by m.due_at limit $6::int4 for update skip locked
), taken as (
  update mails set tries = tries + 1, due_at = $2::timestamptz where id in (select id from due) returning *
)
select t.id, t.kind, t.facts, t.tries, t.journey_id, t.traceparent, t.company_id, c.name, c.admin_email, c.brand
from taken t join companies c on c.id = t.company_id`

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

    return MailStore.of({
      take: ({ kinds, most, now, until }) =>
        Effect.map(
          storeWrite(
            TakenRow.all(
              sql.unsafe(takeStatement, [
                new Date(now),
                new Date(until),
                textArray(kinds),
                toCustomers,
                mailLimits.triesInOrder,
                most
              ])
            )
          ),
          (rows) =>
            rows.map(({ adminEmail, brand, companyId, name, ...mail }) => ({
              ...mail,
              company: { id: companyId, name, adminEmail, brand }
            }))
        ),
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

/**
 * Mail that the service still has to send, and mail that its built-in mailbox keeps, in PostgreSQL. Whoever causes a mail
 * writes its row in a statement of its own; this store takes mail up, records what became of it and lists what is kept.
 */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { mailLimits } from "../../../actors/mail/limits.ts"
import { MailStore, type KeptNow, type ShareOfMail } from "../../../actors/mail/MailStore.ts"
import { Brand } from "../../../schema/company/Brand.ts"
import { customerMailKinds, MailKind } from "../../../schema/mail/mailKinds.ts"
import { makeBatcher } from "../../postgres/Batcher.ts"
import { batchSource, batchStatement, eachItem } from "../../postgres/batchStatement.ts"
import { batchLimits } from "../../postgres/limits.ts"
import { readPage } from "../../postgres/pages.ts"
import { arrayParameter, bytesOrNull, textArray, uuidArray } from "../../postgres/parameters.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { isRefusal } from "../../postgres/sqlFailure.ts"
import { batchedWrite, storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { countMails, isToOthers } from "./mailStandingRows.ts"
import { tooManyWaiting, withStatementTimeout } from "../../postgres/timeouts.ts"
import { CompanyId, JourneyId, MailId, MemberId } from "../../../schema/ids.ts"
import { beforeAllCompanies, takeMailStatement } from "./takeMailStatement.ts"

const TakenRow = rowModel({
  id: column.id(MailId),
  kind: column.oneOf(MailKind),
  facts: column.json,
  tries: column.number,
  memberId: column.orNull(column.id(MemberId)),
  journeyId: column.orNull(column.id(JourneyId)),
  traceparent: column.orNull(column.text),
  companyId: column.id(CompanyId),
  livemode: column.bool,
  name: column.text,
  adminEmail: column.text,
  brand: column.ofSchema(Brand),
  turn: column.number,
  place: column.number
})

const KeptRow = rowModel({
  id: column.id(MailId),
  kind: column.oneOf(MailKind),
  companyId: column.id(CompanyId),
  journeyId: column.orNull(column.id(JourneyId)),
  createdAt: column.millis,
  sealed: column.orNull(column.bytes),
  wrappedKey: column.orNull(column.bytes),
  facts: column.json,
  /** Of a mail that is not written yet. */
  company: column.orNull(
    column.ofSchema(Schema.Struct({ id: CompanyId, name: Schema.String, adminEmail: Schema.String, brand: Brand }))
  )
})

interface Sent {
  readonly id: string
  readonly at: number
}

const ShareRow = rowModel({
  isTeams: column.bool,
  hasMember: column.bool,
  memberId: column.orNull(column.id(MemberId))
})

/**
 * $2: only owners and the members of $3, whether they want it or not. Of members who have never signed in only the first gets mail,
 * who is the administrator: whose the others' addresses are nobody knows yet, and mail names customers. A mail that somebody has by
 * now stays theirs. Two that share one mail at once wait for its row, and the causes of the others' mails are the same.
 */
const shareStatement = `
with shared as (
  select m.*, (j.id is null or j.livemode) as is_teams from mails m left join journeys j on j.id = m.journey_id
  where m.id = $1::uuid for update of m
), there as (
  select p.id, p.notices or $2::bool as wants, p.invited_at,
    p.seen_at is not null or row_number() over (order by p.invited_at, p.id) = 1 as is_known, p.role
  from shared s join members p on p.company_id = s.company_id where s.is_teams and s.member_id is null
), meant as (
  select * from there where role = 'OWNER' or not $2::bool or id = any($3::uuid[])
), chosen as (
  select id, row_number() over (order by invited_at, id) as place from meant where wants and is_known
  order by invited_at, id limit ${mailLimits.mostOfTeam}
), first as (
  update mails m set member_id = c.id from chosen c where m.id = $1::uuid and c.place = 1 returning m.member_id
), others as (
  insert into mails (id, cause, kind, company_id, livemode, journey_id, facts, created_at, due_at, traceparent, member_id)
  select gen_random_uuid(), s.cause || '|' || c.id, s.kind, s.company_id, s.livemode, s.journey_id, s.facts, s.created_at, now(), s.traceparent, c.id
  from shared s, chosen c where c.place > 1
  on conflict (cause) do nothing
)
select s.is_teams, exists (select from meant where is_known or not wants) as has_member, coalesce(s.member_id, (select member_id from first)) as member_id from shared s`

// A sent mail is recorded as sent, whoever has taken it since. Every other outcome is recorded only for its own taking. With a
// mail that is over goes the address that was kept for it.
const sentStatement = batchStatement(
  { mails: batchSource(eachItem<Sent>, { id: ["uuid", ({ id }) => id], at: ["timestamptz", ({ at }) => at] }) },
  ({ mails }) => `
with done as (
  update mails m set due_at = null, sent_at = t.at, given_up_at = null, struck_off_at = null, sealed_recipient = null
  from (${mails}) t where m.id = t.id and m.sent_at is null
  returning m.company_id, m.kind, m.journey_id, m.sent_at as at
)
${countMails("sent", `select d.company_id, d.at from done d left join journeys j on j.id = d.journey_id where ${isToOthers("d", "j")}`)}`
)
const stillTaken = "where id = $1 and tries = $2 and due_at is not null"
const againStatement = `update mails set due_at = $3, in_hand = false ${stillTaken}`
const postponedStatement = `update mails set due_at = $3, in_hand = false, tries = tries - 1 ${stillTaken}`
const struckOffStatement = `update mails set due_at = null, struck_off_at = $3, sealed_recipient = null ${stillTaken}`
const givenUpStatement = `
with over as (
  update mails set due_at = null, given_up_at = $3::timestamptz, sealed_recipient = null ${stillTaken} returning *
), refused as (${countMails(
  "refused",
  `select o.company_id, $3::timestamptz as at from over o left join journeys j on j.id = o.journey_id
   where $6::bool and ${isToOthers("o", "j")}`
)})
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
update mails m set to_index = t.to_index, sealed = t.sealed, is_unwritten = false, due_at = null, sent_at = coalesce(m.sent_at, t.at),
  given_up_at = null, struck_off_at = null, sealed_recipient = null
from (${mails}) t where m.id = t.id`
)

// Mail to a customer is sealed with the customer's key. Without that key nothing of the mail can be shown. Mail that is not written yet
// goes to the customer, or of a test journey to the administrator.
const keptMails = `
from (
  select m.*, case when m.kind = any($3::text[]) then c.wrapped_key end as wrapped_key,
    m.kind = any($3::text[]) and c.wrapped_key is null as is_erased,
    case when m.is_unwritten then json_build_object('id', o.id, 'name', o.name, 'adminEmail', o.admin_email, 'brand', o.brand) end as company
  from mails m left join companies o on o.id = m.company_id
    left join journeys j on j.id = m.journey_id left join customers c on c.id = j.customer_id
  where (m.sealed is not null or m.is_unwritten) and ($2::uuid is null or m.journey_id = $2) and (
    $1::bytea is null or m.to_index = $1
    or m.is_unwritten and (j.livemode and c.email_index = $1 or not j.livemode and lower(o.admin_email) = lower($4::text))
  )
) m where not m.is_erased`

/** A row without words and without a company is damaged, and nothing of it can be shown. */
const inMailbox = ({ company, facts, sealed, wrappedKey, ...mail }: RowOf<typeof KeptRow>) => {
  if (sealed !== null) return { ...mail, sealed, wrappedKey }
  return company === null ? null : { ...mail, sealed, facts, company }
}

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
            withStatementTimeout(sql.unsafe(...statement(mails))),
            mails.map(() => undefined)
          )
      })
    const sent = yield* recording("MailStore.sent", sentStatement)
    const kept = yield* recording("MailStore.kept", keptStatement)

    /** The company whose turn it was last. Each node goes round by itself. */
    let servedLast: string = beforeAllCompanies

    return MailStore.of({
      take: Effect.fnUntraced(function* ({ kinds, now, room, until }) {
        const rows = yield* storeWrite(
          TakenRow.all(
            sql.unsafe(takeMailStatement, [
              new Date(now),
              new Date(until),
              textArray(kinds),
              toCustomers,
              mailLimits.triesInOrder,
              room.most,
              servedLast,
              room.mostOfOne,
              uuidArray(room.leftOf.map(({ companyId }) => companyId)),
              arrayParameter(
                room.leftOf.map(({ left }) => left),
                "int4"
              ),
              room.askedOnTop,
              room.isForAsked,
              arrayParameter(
                room.leftOf.map(({ livemode }) => livemode),
                "bool"
              ),
              room.mostTestMailsOfOne
            ])
          )
        )
        const inTurn = rows.toSorted((a, b) => a.turn - b.turn || a.place - b.place)
        const inOrder = inTurn.filter(({ turn }) => turn > 0)
        const last = inOrder.findLast(({ livemode }) => livemode) ?? inOrder.at(-1)
        servedLast = last?.companyId ?? servedLast
        return inTurn.map((row) => {
          const { facts, id, journeyId, kind, livemode, memberId, traceparent, tries } = row
          const company = { id: row.companyId, name: row.name, adminEmail: row.adminEmail, brand: row.brand }
          return { id, kind, facts, tries, livemode, memberId, journeyId, traceparent, company }
        })
      }),
      share: (mailId, to) =>
        Effect.map(
          storeWrite(
            ShareRow.first(
              sql.unsafe(shareStatement, [mailId, to !== "TEAM", uuidArray(typeof to === "string" ? [] : to.ownersAnd)])
            )
          ),
          (row): ShareOfMail => {
            if (row === null) return "NOBODY"
            if (row.memberId !== null) return { memberId: row.memberId }
            return row.isTeams && row.hasMember ? "NOBODY" : "ADMINISTRATOR"
          }
        ),
      sent: (id, at) => batchedWrite(sent({ id, at })),
      again: ({ id, tries }, dueAt) => write(againStatement, [id, tries, new Date(dueAt)]),
      postponed: ({ id, tries }, dueAt) => write(postponedStatement, [id, tries, new Date(dueAt)]),
      givenUp: ({ id, tries }, at, { isRefused, note }) =>
        write(givenUpStatement, [
          id,
          tries,
          new Date(at),
          note?.id ?? null,
          note === null ? null : JSON.stringify({ mail: note.mail }),
          isRefused
        ]),
      struckOff: ({ id, tries }, at) => write(struckOffStatement, [id, tries, new Date(at)]),
      kept: (mail) => batchedWrite(kept(mail)),
      list: Effect.fnUntraced(function* ({ journeyId, to, toIndex, ...page }) {
        const list = {
          from: keptMails,
          order: "created_at desc, length(cause) desc, cause desc",
          values: [bytesOrNull(toIndex), journeyId, toCustomers, to]
        }
        const found = yield* storeRead(readPage(sql, KeptRow, list, page))
        return { ...found, content: found.content.map(inMailbox).filter((mail) => mail !== null) }
      })
    })
  })
)

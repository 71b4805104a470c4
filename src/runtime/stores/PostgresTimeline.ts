/**
 * Timelines in PostgreSQL, put together from the journal, events, deliveries and mails of one journey ($1 in every
 * statement). Notes are opened with the customer's key. Who may read a timeline is decided by its endpoint.
 */
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { notePlace } from "../../actors/journey/actor/JourneyStore.ts"
import { reasonsOf } from "../../actors/journey/rules/reasons.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { Timeline } from "../../actors/review/Timeline.ts"
import { SaleOutcome } from "../../schema/company/StockVehicle.ts"
import type { MailState, TimelineEntryResource, TimelineEvent, TimelineMail } from "../../schema/review/timeline.ts"
import { JourneyMessage } from "../../schema/journey/messages.ts"
import { MailKind } from "../../schema/mail/mailKinds.ts"
import { timestamp, timestampOrNull } from "../../schema/moment.ts"
import { WebhookDeliveryStatus } from "../../schema/WebhookDeliveryStatus.ts"
import { readPage } from "../postgres/pages.ts"
import { column, rowModel, type RowOf } from "../postgres/rows.ts"
import { storeRead } from "../postgres/storeCalls.ts"
import type { JourneyId } from "../../schema/ids.ts"

/** The line of the journal that something belongs to whose row says only when it was made. */
const lineAt = (at: string) =>
  `(select coalesce(max(l.version), 1) from journal l where l.journey_id = $1::uuid and l.at <= ${at})`

/** The key that sealed the notes. A customer who was erased has none, and no notes. */
const keyStatement = `
select c.wrapped_key from journeys j join customers c on c.id = j.customer_id
where j.id = $1::uuid and c.wrapped_key is not null`

const journal = "from journal where journey_id = $1::uuid"

/** Events of the lines from $2 to $3 with their deliveries. A company has one endpoint for each mode. */
const eventsStatement = `
select e.*, d.status, d.attempts, d.due_at, d.delivered_at
from (
  select id, sequence, type, body, created_at, company_id, livemode, coalesce(version, ${lineAt("created_at")}) as line
  from events where journey_id = $1::uuid
) e
left join webhook_endpoints w on w.company_id = e.company_id and w.livemode = e.livemode
left join deliveries d on d.endpoint_id = w.id and d.event_id = e.id
where e.line between $2::int4 and $3::int4
order by e.sequence`

/** Mails of the lines from $2 to $3. */
const mailsStatement = `
select * from (
  select id, kind, tries, created_at, due_at, sent_at, given_up_at, ${lineAt("created_at")} as line
  from mails where journey_id = $1::uuid
) m
where line between $2::int4 and $3::int4
order by created_at, sent_at, id`

/** What the completed handover meant for the vehicle in the company's stock. */
const saleStatement = `select outcome, ${lineAt("at")} as line from vehicle_sales where journey_id = $1::uuid`

const KeyRow = rowModel({ wrappedKey: column.bytes })

const LineRow = rowModel({
  version: column.number,
  sender: column.text,
  message: column.members,
  sealedNote: column.orNull(column.bytes),
  at: column.millis
})

const EventRow = rowModel({
  line: column.number,
  id: column.text,
  sequence: column.number,
  type: column.text,
  body: column.text,
  createdAt: column.millis,
  status: column.orNull(column.oneOf(WebhookDeliveryStatus)),
  attempts: column.orNull(column.number),
  dueAt: column.orNull(column.millis),
  deliveredAt: column.orNull(column.millis)
})

const MailRow = rowModel({
  line: column.number,
  id: column.text,
  kind: column.oneOf(MailKind),
  tries: column.number,
  createdAt: column.millis,
  dueAt: column.orNull(column.millis),
  sentAt: column.orNull(column.millis),
  givenUpAt: column.orNull(column.millis)
})

const SaleRow = rowModel({ line: column.number, outcome: column.oneOf(SaleOutcome) })

interface Found {
  readonly events: ReadonlyArray<RowOf<typeof EventRow>>
  readonly mails: ReadonlyArray<RowOf<typeof MailRow>>
  readonly sales: ReadonlyArray<RowOf<typeof SaleRow>>
  /** By version. */
  readonly notes: ReadonlyMap<number, string>
}

const eventOf = (row: RowOf<typeof EventRow>): TimelineEvent => ({
  id: row.id,
  type: row.type,
  sequence: row.sequence,
  createdAt: timestamp(row.createdAt),
  delivery:
    row.status === null
      ? null
      : {
          status: row.status,
          attempts: row.attempts ?? 0,
          nextAttemptAt: timestampOrNull(row.dueAt),
          deliveredAt: timestampOrNull(row.deliveredAt)
        }
})

const mailState = (row: RowOf<typeof MailRow>): MailState => {
  if (row.sentAt !== null) return "SENT"
  if (row.givenUpAt !== null) return "GIVEN_UP"
  return row.dueAt === null ? "STRUCK_OFF" : "PENDING"
}

const mailOf = (row: RowOf<typeof MailRow>): TimelineMail => ({
  id: row.id,
  kind: row.kind,
  state: mailState(row),
  tries: row.tries,
  createdAt: timestamp(row.createdAt),
  nextTryAt: timestampOrNull(row.dueAt),
  sentAt: timestampOrNull(row.sentAt)
})

const status = Schema.optionalKey(Schema.NullOr(Schema.String))
const decodeBody = Schema.decodeSync(
  Schema.fromJsonString(
    Schema.Struct({
      data: Schema.Struct({
        reason: Schema.optionalKey(Schema.String),
        journeyStatus: status,
        financeStatus: status,
        identityStatus: status,
        deliveryStatus: status
      })
    })
  )
)

/** Every event of a message shows the statuses after the whole message, so the first event is enough. */
const statusesOf = ([first]: Found["events"]): TimelineEntryResource["statuses"] => {
  if (first === undefined) return null
  const { data } = decodeBody(first.body)
  return {
    journeyStatus: data.journeyStatus ?? "ACTIVE",
    financeStatus: data.financeStatus ?? null,
    identityStatus: data.identityStatus ?? null,
    deliveryStatus: data.deliveryStatus ?? null
  }
}

const decodeMessage = Schema.decodeUnknownOption(JourneyMessage)

/** The message's own reasons, and the reason that its events tell. A start, and a message of a newer version, has none of its own. */
const reasonsIn = (message: unknown, events: Found["events"]): ReadonlyArray<string> => {
  const own = Option.match(decodeMessage(message), { onNone: () => [], onSome: reasonsOf })
  const inEvents = events.flatMap(({ body }) => decodeBody(body).data.reason ?? [])
  return [...new Set([...own, ...inEvents])]
}

const entryOf = (line: RowOf<typeof LineRow>, { events, mails, notes, sales }: Found): TimelineEntryResource => {
  // The fingerprint is of no use to a reader, and the reasons have a member of their own.
  const { _tag, fingerprint: _, reasons: __, ...details } = line.message
  const ofLine = events.filter((event) => event.line === line.version)
  return {
    version: line.version,
    at: timestamp(line.at),
    sender: line.sender,
    message: column.text(_tag, "message"),
    details,
    reasons: reasonsIn(line.message, ofLine),
    note: notes.get(line.version) ?? null,
    statuses: statusesOf(ofLine),
    events: ofLine.map(eventOf),
    mails: mails.filter((mail) => mail.line === line.version).map(mailOf),
    vehicle: sales.find((sale) => sale.line === line.version)?.outcome ?? null
  }
}

export const layer = Layer.effect(
  Timeline,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault

    const notesIn = Effect.fnUntraced(function* (journeyId: JourneyId, lines: ReadonlyArray<RowOf<typeof LineRow>>) {
      const sealed = lines.flatMap(({ sealedNote: note, version }) => (note === null ? [] : [{ note, version }]))
      if (sealed.length === 0) return new Map<number, string>()
      const row = yield* KeyRow.first(sql.unsafe(keyStatement, [journeyId]))
      if (row === null) return new Map<number, string>()
      // The vault is checked when the service starts, and the place is the note's own: what does not open is damaged.
      const key = yield* Effect.orDie(vault.keyOf(row.wrappedKey))
      const open = ({ note, version }: (typeof sealed)[number]) =>
        Effect.map(Effect.orDie(key.open(notePlace(journeyId), note)), (text) => [version, text] as const)
      return new Map(yield* Effect.forEach(sealed, open))
    })

    return Timeline.of({
      read: (journeyId, page) =>
        storeRead(
          Effect.gen(function* () {
            const query = { from: journal, order: "version", values: [journeyId] }
            const { content, totalElements } = yield* readPage(sql, LineRow, query, page)
            const lines = [journeyId, content[0]?.version ?? 0, content.at(-1)?.version ?? 0]
            const found: Found = {
              events: yield* EventRow.all(sql.unsafe(eventsStatement, lines)),
              mails: yield* MailRow.all(sql.unsafe(mailsStatement, lines)),
              sales: yield* SaleRow.all(sql.unsafe(saleStatement, [journeyId])),
              notes: yield* notesIn(journeyId, content)
            }
            return { content: content.map((line) => entryOf(line, found)), totalElements }
          })
        )
    })
  })
)

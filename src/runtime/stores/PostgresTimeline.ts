/**
 * Timelines in PostgreSQL, put together from the journal, events, deliveries and mails: `timelineStatements.ts`. Notes are
 * opened with the customer's key for whoever reads, and for nobody else.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { notePlace } from "../../actors/journey/actor/JourneyStore.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { Timeline } from "../../actors/review/Timeline.ts"
import type { LogStatus } from "../../schema/webhook/WebhookDelivery.ts"
import type { MailState, TimelineEntryResource, TimelineEvent, TimelineMail } from "../../schema/journey/timeline.ts"
import { pageOf } from "./companyRows.ts"
import { eventsStatement, journal, keyStatement, mailsStatement, saleStatement } from "./timelineStatements.ts"
import { storeRead } from "../postgres/storeCalls.ts"
import { timestamp, timestampOrNull } from "../../schema/moment.ts"
import type { SaleOutcome } from "../../schema/company/StockVehicle.ts"

interface LineRow {
  readonly version: number
  readonly sender: string
  readonly message: { readonly _tag: string; readonly fingerprint?: string } & Readonly<Record<string, unknown>>
  readonly sealed_note: Uint8Array | null
  readonly at: Date
}

interface EventRow {
  readonly line: number
  readonly id: string
  readonly sequence: number
  readonly type: string
  readonly body: string
  readonly created_at: Date
  readonly status: LogStatus | null
  readonly attempts: number | null
  readonly due_at: Date | null
  readonly delivered_at: Date | null
}

interface MailRow {
  readonly line: number
  readonly id: string
  readonly kind: TimelineMail["kind"]
  readonly tries: number
  readonly created_at: Date
  readonly due_at: Date | null
  readonly sent_at: Date | null
  readonly given_up_at: Date | null
}

interface SaleRow {
  readonly line: number
  readonly outcome: SaleOutcome
}

interface Found {
  readonly events: ReadonlyArray<EventRow>
  readonly mails: ReadonlyArray<MailRow>
  readonly sales: ReadonlyArray<SaleRow>
  /** By version. */
  readonly notes: ReadonlyMap<number, string>
}

const written = (at: Date): string => timestamp(at.getTime())
const writtenOrNull = (at: Date | null): string | null => timestampOrNull(at?.getTime() ?? null)

const eventOf = (row: EventRow): TimelineEvent => ({
  id: row.id,
  type: row.type,
  sequence: row.sequence,
  createdAt: written(row.created_at),
  delivery:
    row.status === null
      ? null
      : {
          status: row.status,
          attempts: row.attempts ?? 0,
          nextAttemptAt: writtenOrNull(row.due_at),
          deliveredAt: writtenOrNull(row.delivered_at)
        }
})

const mailState = (row: MailRow): MailState => {
  if (row.sent_at !== null) return "SENT"
  if (row.given_up_at !== null) return "GIVEN_UP"
  return row.due_at === null ? "STRUCK_OFF" : "PENDING"
}

const mailOf = (row: MailRow): TimelineMail => ({
  id: row.id,
  kind: row.kind,
  state: mailState(row),
  tries: row.tries,
  createdAt: written(row.created_at),
  nextTryAt: writtenOrNull(row.due_at),
  sentAt: writtenOrNull(row.sent_at)
})

type Data = Partial<Record<"journeyStatus" | "financeStatus" | "identityStatus" | "deliveryStatus", string>>

/** Every event of a message shows the statuses after all of it; one says as much as the others. */
const statusesOf = (events: ReadonlyArray<EventRow>): TimelineEntryResource["statuses"] => {
  const [first] = events
  if (first === undefined) return null
  const { data } = JSON.parse(first.body) as { readonly data: Data }
  return {
    journeyStatus: data.journeyStatus ?? "ACTIVE",
    financeStatus: data.financeStatus ?? null,
    identityStatus: data.identityStatus ?? null,
    deliveryStatus: data.deliveryStatus ?? null
  }
}

const entryOf = (line: LineRow, { events, mails, notes, sales }: Found): TimelineEntryResource => {
  // The fingerprint is of no use to a reader.
  const { _tag, fingerprint: _, ...details } = line.message
  const ofLine = events.filter((event) => event.line === line.version)
  return {
    version: line.version,
    at: written(line.at),
    sender: line.sender,
    message: _tag,
    details,
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

    const notesIn = Effect.fnUntraced(function* (journeyId: string, lines: ReadonlyArray<LineRow>) {
      const sealed = lines.flatMap(({ sealed_note: note, version }) => (note === null ? [] : [{ note, version }]))
      if (sealed.length === 0) return new Map<number, string>()
      const [row] = yield* sql.unsafe<{ readonly wrapped_key: Uint8Array }>(keyStatement, [journeyId])
      if (row === undefined) return new Map<number, string>()
      // The key is checked at the start and the place is the note's own: what does not open is damaged.
      const key = yield* Effect.orDie(vault.keyOf(row.wrapped_key))
      const open = ({ note, version }: (typeof sealed)[number]) =>
        Effect.map(Effect.orDie(key.open(notePlace(journeyId), note)), (text) => [version, text] as const)
      return new Map(yield* Effect.forEach(sealed, open))
    })

    return Timeline.of({
      read: (journeyId, page) =>
        storeRead(
          Effect.gen(function* () {
            const query = { from: journal, order: "version", values: [journeyId] }
            const { content, totalElements } = yield* pageOf(sql, query, page, (row: LineRow) => row)
            const lines = [journeyId, content[0]?.version ?? 0, content.at(-1)?.version ?? 0]
            const found: Found = {
              events: yield* sql.unsafe<EventRow>(eventsStatement, lines),
              mails: yield* sql.unsafe<MailRow>(mailsStatement, lines),
              sales: yield* sql.unsafe<SaleRow>(saleStatement, [journeyId]),
              notes: yield* notesIn(journeyId, content)
            }
            return { content: content.map((line) => entryOf(line, found)), totalElements }
          })
        )
    })
  })
)

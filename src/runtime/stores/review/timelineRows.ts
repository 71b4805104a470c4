/**
 * Rows of a timeline, and how they become its entries: the lines of a journal with what belongs to each. The statements are
 * in `PostgresTimeline.ts`.
 */
import { Option, Schema } from "effect"
import type { ExternalEffect } from "../../../actors/journey/rules/state/Journey.ts"
import { reasonsOf } from "../../../actors/journey/rules/state/reasons.ts"
import { SaleOutcome } from "../../../schema/company/StockVehicle.ts"
import { FailureClass } from "../../../schema/failureClass.ts"
import { PendingWorkKind } from "../../../schema/journey/actions.ts"
import { JourneyMessage } from "../../../schema/journey/messages.ts"
import { MailKind } from "../../../schema/mail/mailKinds.ts"
import { ReturnedAs } from "../../../schema/mail/MailStanding.ts"
import { timestamp, timestampOrNull } from "../../../schema/moment.ts"
import type {
  MailState,
  TimelineEntry,
  TimelineEvent,
  TimelineMail,
  TimelineWork
} from "../../../schema/review/timeline.ts"
import { AttemptTrigger } from "../../../schema/webhook/WebhookDelivery.ts"
import { WebhookDeliveryStatus } from "../../../schema/WebhookDeliveryStatus.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"

export const TimelineLine = rowModel({
  version: column.number,
  sender: column.text,
  message: column.members,
  sealedNote: column.orNull(column.bytes),
  at: column.millis
})

/** `at` is epoch milliseconds. */
const Attempt = Schema.Struct({
  number: Schema.Int,
  at: Schema.Finite,
  trigger: AttemptTrigger,
  httpStatus: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(FailureClass),
  durationMillis: Schema.Int
})

export const TimelineEventRow = rowModel({
  line: column.number,
  id: column.text,
  sequence: column.number,
  type: column.text,
  body: column.text,
  createdAt: column.millis,
  status: column.orNull(column.oneOf(WebhookDeliveryStatus)),
  attempts: column.orNull(column.number),
  dueAt: column.orNull(column.millis),
  deliveredAt: column.orNull(column.millis),
  /** The newest first; null where there was none. */
  latestAttempts: column.orNull(column.ofSchema(Schema.Array(Attempt)))
})

export const TimelineMailRow = rowModel({
  line: column.number,
  id: column.text,
  kind: column.oneOf(MailKind),
  tries: column.number,
  createdAt: column.millis,
  dueAt: column.orNull(column.millis),
  sentAt: column.orNull(column.millis),
  givenUpAt: column.orNull(column.millis),
  returnedAs: column.orNull(column.oneOf(ReturnedAs))
})

export const TimelineSale = rowModel({ line: column.number, outcome: column.oneOf(SaleOutcome) })

/** A line about pending work. `attempt` counts how often the work was begun up to this line. */
export const TimelineWorkRow = rowModel({
  line: column.number,
  serial: column.number,
  kind: column.orNull(column.text),
  attempt: column.number,
  isLast: column.bool
})

export interface TimelineParts {
  /** What the journey still has to do. */
  readonly pending: ReadonlyArray<ExternalEffect>
  readonly work: ReadonlyArray<RowOf<typeof TimelineWorkRow>>
  readonly events: ReadonlyArray<RowOf<typeof TimelineEventRow>>
  readonly mails: ReadonlyArray<RowOf<typeof TimelineMailRow>>
  readonly sales: ReadonlyArray<RowOf<typeof TimelineSale>>
  /** By version. */
  readonly notes: ReadonlyMap<number, string>
}

const eventOf = (row: RowOf<typeof TimelineEventRow>): TimelineEvent => ({
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
          deliveredAt: timestampOrNull(row.deliveredAt),
          latestAttempts: (row.latestAttempts ?? [])
            .map(({ at, durationMillis, error, httpStatus, number, trigger }) => ({
              number,
              at: timestamp(at),
              trigger,
              httpStatus,
              error,
              durationMillis
            }))
            .toReversed()
        }
})

const returned = { BOUNCE: "BOUNCED", COMPLAINT: "COMPLAINED_OF" } as const satisfies Record<ReturnedAs, MailState>

const mailState = (row: RowOf<typeof TimelineMailRow>): MailState => {
  if (row.returnedAs !== null) return returned[row.returnedAs]
  if (row.sentAt !== null) return "SENT"
  if (row.givenUpAt !== null) return "GIVEN_UP"
  return row.dueAt === null ? "STRUCK_OFF" : "PENDING"
}

const mailOf = (row: RowOf<typeof TimelineMailRow>): TimelineMail => ({
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
const statusesOf = ([first]: TimelineParts["events"]): TimelineEntry["statuses"] => {
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
const reasonsIn = (message: unknown, events: TimelineParts["events"]): ReadonlyArray<string> => {
  // The rules give a verification its reason for the case that it goes to review; a verified identity has none.
  const isVerified = events.some(({ type }) => type === "identity.verified")
  const own = isVerified ? [] : Option.match(decodeMessage(message), { onNone: () => [], onSome: reasonsOf })
  const inEvents = events.flatMap(({ body }) => decodeBody(body).data.reason ?? [])
  return [...new Set([...own, ...inEvents])]
}

const isWorkKind = Schema.is(PendingWorkKind)

const workOf = ({ version }: RowOf<typeof TimelineLine>, { pending, work }: TimelineParts): TimelineWork | null => {
  const row = work.find(({ line }) => line === version)
  if (row === undefined) return null
  const effect = pending.find(({ serial }) => serial === row.serial)
  const kind = effect?.kind ?? row.kind
  return {
    kind: isWorkKind(kind) ? kind : null,
    attempt: row.attempt,
    dueAt: row.isLast ? timestampOrNull(effect?.dueAt ?? null) : null
  }
}

export const timelineEntry = (line: RowOf<typeof TimelineLine>, parts: TimelineParts): TimelineEntry => {
  const { events, mails, notes, sales } = parts
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
    work: workOf(line, parts),
    vehicle: sales.find((sale) => sale.line === line.version)?.outcome ?? null
  }
}

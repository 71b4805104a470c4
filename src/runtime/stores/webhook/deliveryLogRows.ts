/** Rows of the delivery log: deliveries, each with its attempts on lines of their own, and resends of many events. */
import { Schema } from "effect"
import type { LoggedWebhookDelivery, ResendTask } from "../../../actors/webhook/actor/WebhookDeliveryLog.ts"
import { FailureClass } from "../../../schema/failureClass.ts"
import { eventTypes } from "../../../schema/journey/events.ts"
import { AttemptTrigger } from "../../../schema/webhook/WebhookDelivery.ts"
import { WebhookDeliveryStatus } from "../../../schema/WebhookDeliveryStatus.ts"
import { column, rowsDecodedBy, rowModel, type RowOf } from "../../postgres/rows.ts"
import { EventId, JourneyId } from "../../../schema/ids.ts"

const eventType = column.oneOf({ literals: eventTypes })

const Delivery = rowModel({
  eventId: column.id(EventId),
  type: eventType,
  journeyId: column.orNull(column.id(JourneyId)),
  sequence: column.number,
  createdAt: column.millis,
  status: column.oneOf(WebhookDeliveryStatus),
  dueAt: column.orNull(column.millis)
})

const Attempt = rowModel({
  number: column.number,
  at: column.millis,
  durationMillis: column.number,
  trigger: column.oneOf(AttemptTrigger),
  httpStatus: column.orNull(column.number),
  error: column.orNull(column.oneOf(FailureClass)),
  answer: column.orNull(column.text),
  signature: column.orNull(column.text)
})

/** A delivery with one of its attempts, or with none. */
export const LogLine = rowsDecodedBy((row) => ({
  delivery: Delivery.decodeRow(row),
  attempt: row["number"] === null ? null : Attempt.decodeRow(row)
}))
type LogLine = RowOf<typeof LogLine>

const Body = rowModel({ body: column.text })
export const WholeLine = rowsDecodedBy((row) => ({ ...LogLine.decodeRow(row), ...Body.decodeRow(row) }))

/** How far a page was looked for, on every row; and a line, on all rows but that of an empty page. */
const Looked = rowModel({ looked: column.number, reached: column.orNull(column.text) })
export const ListLine = rowsDecodedBy((row) => ({
  ...Looked.decodeRow(row),
  line: row["event_id"] === null ? null : LogLine.decodeRow(row)
}))

/** Deliveries in the order of their lines. */
export const deliveriesOf = (lines: ReadonlyArray<LogLine>): ReadonlyArray<LoggedWebhookDelivery> =>
  [...Map.groupBy(lines, ({ delivery }) => delivery.eventId).values()].flatMap((own) =>
    own[0] === undefined
      ? []
      : [{ ...own[0].delivery, attempts: own.flatMap(({ attempt }) => (attempt === null ? [] : [attempt])) }]
  )

/** The hours in which attempts were made, each with its steps of time; and what waits. */
export const CountRow = rowModel({
  hour: column.millis,
  step: column.number,
  delivered: column.number,
  failed: column.number
})
export const WaitingRow = rowModel({ pending: column.number, oldestPendingAt: column.orNull(column.millis) })

/** How many deliveries of a task are in each status; a status without deliveries is missing. */
const counts = Schema.Record(WebhookDeliveryStatus, Schema.optionalKey(Schema.Int))

const Task = rowModel({
  id: column.text,
  since: column.millis,
  types: column.orNull(column.listOf(eventType)),
  journeyId: column.orNull(column.id(JourneyId)),
  delivered: column.bool,
  queued: column.number,
  counts: column.orNull(column.ofSchema(counts)),
  createdAt: column.millis,
  finishedAt: column.orNull(column.millis)
})

export const TaskRow = rowsDecodedBy((row): ResendTask => {
  const task = Task.decodeRow(row)
  return { ...task, counts: { PENDING: 0, DELIVERED: 0, GIVEN_UP: 0, PARKED: 0, ...task.counts } }
})

/** The number of all tasks, on every row; and a task, on all rows but that of a page past the end. */
const Total = rowModel({ total: column.number })
export const TaskPageRow = rowsDecodedBy((row) => ({
  ...Total.decodeRow(row),
  task: row["id"] === null ? null : TaskRow.decodeRow(row)
}))

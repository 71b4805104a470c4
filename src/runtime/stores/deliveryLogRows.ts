/** Rows of the delivery log as its port names them: deliveries, each with its attempts on lines of their own, and tasks. */
import type { LoggedAttempt, LoggedDelivery, ResendTask } from "../../actors/webhook/actor/DeliveryLog.ts"
import type { AttemptTrigger, LogStatus } from "../../schema/webhook/WebhookDelivery.ts"
import type { EventType } from "../../schema/journey/events.ts"
import type { FailureClass } from "../../schema/failureClass.ts"

/** A delivery with one of its attempts, or with none. */
export interface LogRow {
  readonly event_id: string
  readonly status: LogStatus
  readonly due_at: Date | null
  readonly type: EventType
  readonly created_at: Date
  readonly journey_id: string | null
  readonly number: number | null
  readonly at: Date
  readonly duration_millis: number
  readonly trigger: AttemptTrigger
  readonly http_status: number | null
  readonly error: FailureClass | null
  readonly answer: string | null
}

export type ListRow = { readonly looked: number; readonly reached: string | null } & (
  | LogRow
  | { readonly event_id: null }
)

export interface TaskRow {
  readonly id: string
  readonly since: Date
  readonly types: ReadonlyArray<EventType> | null
  readonly journey_id: string | null
  readonly delivered: boolean
  readonly queued: number
  readonly counts: Partial<Record<LogStatus, number>> | null
  readonly created_at: Date
  readonly finished_at: Date | null
}

export type TaskPageRow = { readonly total: number } & (TaskRow | { readonly id: null })

const millisOf = (at: Date | null): number | null => (at === null ? null : at.getTime())

const attemptsOf = (row: LogRow): ReadonlyArray<LoggedAttempt> =>
  row.number === null
    ? []
    : [
        {
          number: row.number,
          at: row.at.getTime(),
          durationMillis: row.duration_millis,
          trigger: row.trigger,
          httpStatus: row.http_status,
          error: row.error,
          answer: row.answer
        }
      ]

const deliveryOf = (row: LogRow, rows: ReadonlyArray<LogRow>): LoggedDelivery => ({
  eventId: row.event_id,
  type: row.type,
  journeyId: row.journey_id,
  createdAt: row.created_at.getTime(),
  status: row.status,
  dueAt: millisOf(row.due_at),
  attempts: rows.flatMap(attemptsOf)
})

/** Deliveries in the order of their rows. */
export const deliveriesOf = (rows: ReadonlyArray<LogRow>): ReadonlyArray<LoggedDelivery> =>
  [...Map.groupBy(rows, (row) => row.event_id).values()].flatMap((own) =>
    own[0] === undefined ? [] : [deliveryOf(own[0], own)]
  )

export const taskOf = (row: TaskRow): ResendTask => ({
  id: row.id,
  since: row.since.getTime(),
  types: row.types,
  journeyId: row.journey_id,
  delivered: row.delivered,
  queued: row.queued,
  counts: { PENDING: 0, DELIVERED: 0, GIVEN_UP: 0, PARKED: 0, ...row.counts },
  createdAt: row.created_at.getTime(),
  finishedAt: millisOf(row.finished_at)
})

export const isLogRow = (row: ListRow): row is ListRow & LogRow => row.event_id !== null
export const isTaskRow = (row: TaskPageRow): row is TaskPageRow & TaskRow => row.id !== null

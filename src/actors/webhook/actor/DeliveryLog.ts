/**
 * The port to the delivery log as an endpoint's owner uses it: what went where and how, sending it again, and sending
 * something to try the endpoint out. Times are epoch milliseconds.
 */
import { Context, type Effect } from "effect"
import type { AttemptTrigger, LogStatus } from "../../../schema/webhook/WebhookDelivery.ts"
import type { EventType } from "../../../schema/journey/events.ts"
import type { FailureClass } from "../../../schema/failureClass.ts"
import type { PageOf, PageRequest } from "../../../schema/page.ts"
import type { StoreUnavailable } from "../../kernel/StoreError.ts"
import type { Writing } from "./DeliveryStore.ts"
import type { Endpoint } from "../rules/Endpoint.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"

export interface LoggedAttempt {
  readonly number: number
  readonly at: number
  readonly durationMillis: number
  readonly trigger: AttemptTrigger
  readonly httpStatus: number | null
  readonly error: FailureClass | null
  readonly answer: string | null
}

export interface LoggedDelivery {
  readonly eventId: string
  readonly type: EventType
  /** Null for a ping or a sample. */
  readonly journeyId: string | null
  readonly createdAt: number
  readonly status: LogStatus
  readonly dueAt: number | null
  /** The latest ones, in the order they were made. */
  readonly attempts: ReadonlyArray<LoggedAttempt>
}

export interface LogQuery {
  readonly endpointId: string
  readonly status: LogStatus | null
  readonly type: EventType | null
  readonly journeyId: string | null
  /** The event id where the page before ended: only older ones. */
  readonly before: string | null
  readonly size: number
}

export interface ResendRange {
  readonly id: string
  readonly since: number
  /** Null: what the endpoint has chosen. */
  readonly types: ReadonlyArray<EventType> | null
  readonly journeyId: string | null
  /** Send again what was delivered, too. */
  readonly delivered: boolean
  readonly createdAt: number
}

export interface ResendTask extends ResendRange {
  readonly queued: number
  readonly counts: Readonly<Record<LogStatus, number>>
  readonly finishedAt: number | null
}

/** A ping or a sample: an event of no journey. */
export interface TestEvent {
  readonly id: string
  readonly type: EventType
  readonly body: string
  readonly createdAt: number
  /** When it is sent if whoever made it cannot send it now. */
  readonly dueAt: number
}

type Reading<A> = Effect.Effect<A, StoreUnavailable>

export class DeliveryLog extends Context.Service<
  DeliveryLog,
  {
    /**
     * Newest first. `next` is the `before` of the page after this one; null on the last. A page may hold less than was
     * asked for, or nothing, and not be the last: a filter that little passes is not searched for without end.
     */
    readonly list: (
      query: LogQuery
    ) => Reading<{ readonly content: ReadonlyArray<LoggedDelivery>; readonly next: string | null }>
    readonly find: (endpointId: string, eventId: string) => Reading<LoggedDelivery | null>
    /** Makes a delivery due now, with its schedule begun anew; null when there is none, or its event is too old. */
    readonly resend: (
      endpoint: Endpoint,
      eventId: string,
      oldest: number,
      line: AuditLine
    ) => Writing<LoggedDelivery | null>
    /** Null while another resend of the endpoint runs. */
    readonly startResend: (endpoint: Endpoint, range: ResendRange, line: AuditLine) => Writing<ResendTask | null>
    readonly task: (endpointId: string, taskId: string) => Reading<ResendTask | null>
    /** Newest first. */
    readonly tasks: (endpointId: string, page: PageRequest) => Reading<PageOf<ResendTask>>
    /**
     * Keeps a test event with its delivery; at an endpoint that is off the delivery is parked, and at one that was
     * removed nothing is kept.
     */
    readonly addTest: (endpoint: Endpoint, event: TestEvent, line: AuditLine) => Writing<void>
  }
>()("journeys/actors/DeliveryLog") {}

/**
 * The port to the delivery log as an endpoint's owner uses it: reading what was sent and how it ended, sending it again, and
 * sending something to try the endpoint out. Sending itself is the actor's business. Times are epoch milliseconds.
 */
import { Context, type Effect } from "effect"
import type { AttemptTrigger } from "../../../schema/webhook/WebhookDelivery.ts"
import type { WebhookDeliveryStatus } from "../../../schema/WebhookDeliveryStatus.ts"
import type { EventType } from "../../../schema/journey/events.ts"
import type { FailureClass } from "../../../schema/failureClass.ts"
import type { PageOf, PageRequest } from "../../../schema/page.ts"
import type { StoreUnavailable } from "../../kernel/StoreError.ts"
import type { Writing } from "./WebhookDeliveryStore.ts"
import type { AttemptCounts } from "../rules/attemptStatistics.ts"
import type { Endpoint } from "../rules/Endpoint.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"
import type { EndpointId, EventId, JourneyId } from "../../../schema/ids.ts"

export interface LoggedWebhookAttempt {
  readonly number: number
  readonly at: number
  readonly durationMillis: number
  readonly trigger: AttemptTrigger
  readonly httpStatus: number | null
  readonly error: FailureClass | null
  readonly answer: string | null
  /** `Service-Signature` as it was sent; null where no connection came about, or where it was not kept. */
  readonly signature: string | null
}

export interface LoggedWebhookDelivery {
  readonly eventId: EventId
  readonly type: EventType
  /** Null for a ping or a sample. */
  readonly journeyId: JourneyId | null
  /** 0 for a ping or a sample. */
  readonly sequence: number
  readonly createdAt: number
  readonly status: WebhookDeliveryStatus
  readonly dueAt: number | null
  /** The latest attempts, in the order they were made. */
  readonly attempts: ReadonlyArray<LoggedWebhookAttempt>
}

/** A delivery with the text that is sent, byte for byte. */
export interface WholeWebhookDelivery extends LoggedWebhookDelivery {
  readonly body: string
}

export interface WebhookDeliveryQuery {
  readonly endpointId: EndpointId
  readonly status: WebhookDeliveryStatus | null
  readonly type: EventType | null
  readonly journeyId: JourneyId | null
  /** Only events older than this one, with which the page before ended. */
  readonly before: string | null
  readonly size: number
}

export interface ResendRange {
  readonly id: string
  readonly since: number
  /** Null: the events that the endpoint has chosen. */
  readonly types: ReadonlyArray<EventType> | null
  readonly journeyId: JourneyId | null
  /** Whether events that were delivered are sent again, too. */
  readonly delivered: boolean
  readonly createdAt: number
}

export interface ResendTask extends ResendRange {
  readonly queued: number
  readonly counts: Readonly<Record<WebhookDeliveryStatus, number>>
  readonly finishedAt: number | null
}

/** A ping or a sample: an event that belongs to no journey. */
export interface TestEvent {
  readonly id: string
  readonly type: EventType
  readonly body: string
  readonly createdAt: number
  /** When the event is sent if the first attempt cannot be made at once. */
  readonly dueAt: number
}

type Reading<A> = Effect.Effect<A, StoreUnavailable>

export class WebhookDeliveryLog extends Context.Service<
  WebhookDeliveryLog,
  {
    /**
     * Newest first. `next` is the `before` of the following page; null on the last page. A page before the last may hold
     * less than was asked for, or nothing: the search for events that pass a narrow filter is bounded.
     */
    readonly list: (
      query: WebhookDeliveryQuery
    ) => Reading<{ readonly content: ReadonlyArray<LoggedWebhookDelivery>; readonly next: string | null }>
    readonly find: (endpointId: EndpointId, eventId: EventId) => Reading<WholeWebhookDelivery | null>
    /** Makes a delivery due now and restarts its schedule; null when there is none, or its event is too old. */
    readonly resend: (
      endpoint: Endpoint,
      eventId: EventId,
      oldest: number,
      line: AuditLine
    ) => Writing<LoggedWebhookDelivery | null>
    /** Null while another resend of the endpoint runs. */
    readonly startResend: (endpoint: Endpoint, range: ResendRange, line: AuditLine) => Writing<ResendTask | null>
    readonly task: (endpointId: EndpointId, taskId: string) => Reading<ResendTask | null>
    /** Newest first. */
    readonly tasks: (endpointId: EndpointId, page: PageRequest) => Reading<PageOf<ResendTask>>
    /** How the attempts since this time went, by the hour, and what waits now. */
    readonly attemptCounts: (endpointId: EndpointId, since: number) => Reading<AttemptCounts>
    /**
     * Keeps a test event with its delivery. At an endpoint that is off the delivery is parked. For an endpoint that was
     * removed nothing is kept.
     */
    readonly addTest: (endpoint: Endpoint, event: TestEvent, line: AuditLine) => Writing<void>
  }
>()("journeys/actors/DeliveryLog") {}

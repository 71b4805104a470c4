/**
 * The port to the deliveries of an endpoint, as its actor works them off. The store promises that a delivery exists for
 * every event its endpoint wanted, written by the commit that wrote the event, and that what is recorded of an attempt
 * is recorded once. Times are epoch milliseconds, given by whoever asks.
 */
import { Context, type Effect } from "effect"
import type { AttemptTrigger } from "../../../schema/webhook/WebhookDelivery.ts"
import type { EventType } from "../../../schema/journey/events.ts"
import type { FailureClass } from "../../../schema/failureClass.ts"
import type { CommitUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { Health, WarningHours } from "../rules/health.ts"

export interface DueDelivery {
  readonly eventId: string
  /** Null when it is not due by itself: a test at an endpoint that is off. */
  readonly dueAt: number | null
  readonly type: EventType
  /** The bytes to send. */
  readonly body: string
  /** When the event was. */
  readonly createdAt: number
  /** The span that wrote the event; null without a tracer. */
  readonly traceparent: string | null
  /** Of a ping or a sample this is the event's own id, and `sequence` 0. */
  readonly journeyId: string
  readonly sequence: number
  /** Attempts ever made: says which state of the delivery an outcome was decided on. */
  readonly attempts: number
  /** Attempts that count against the schedule. */
  readonly tries: number
  readonly trigger: AttemptTrigger
}

/** What one attempt came to, and how its delivery stands after it. */
export interface AttemptOutcome {
  readonly endpointId: string
  readonly delivery: Pick<DueDelivery, "eventId" | "attempts" | "trigger">
  readonly at: number
  readonly durationMillis: number
  readonly httpStatus: number | null
  readonly error: FailureClass | null
  readonly answer: string | null
  readonly delivered: boolean
  /** After a failure: the tries so far, and when the next is due, or null for given up. */
  readonly tries: number
  readonly dueAt: number | null
}

/** A change of an endpoint's health, with the mail it makes the service owe. */
export interface HealthChange {
  readonly endpoint: Endpoint
  readonly health: Health
  readonly warning: WarningHours | null
  readonly turnedOffAt: number | null
  readonly at: number
}

/** Where reading what is due goes on: behind this delivery. */
export interface DuePlace {
  readonly dueAt: number
  readonly eventId: string
}

export interface DueAsk {
  readonly endpointId: string
  readonly now: number
  /** Null: from the beginning. */
  readonly after: DuePlace | null
  readonly limit: number
}

/** A resend can go on at once, goes on when some of it has been sent, or there is none. */
export type Resending = "MoreNow" | "Later" | "None"

export type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    readonly endpoint: (endpointId: string) => Effect.Effect<Endpoint | null, StoreUnavailable>
    /** What is due, oldest first, from a place in the endpoint's queue on. */
    readonly due: (ask: DueAsk) => Effect.Effect<ReadonlyArray<DueDelivery>, StoreUnavailable>
    /** One delivery, due or not; null when there is none. */
    readonly one: (endpointId: string, eventId: string) => Effect.Effect<DueDelivery | null, StoreUnavailable>
    /** Writes attempts into the log and brings their deliveries up to date, all or none. */
    readonly record: (outcomes: ReadonlyArray<AttemptOutcome>) => Writing<void>
    /** Writes the health unless the endpoint was saved in between, with the mail, or neither. */
    readonly changeHealth: (change: HealthChange) => Writing<void>
    /** Parks some of what is pending at an endpoint that is off; false when nothing was left to park. */
    readonly park: (endpointId: string) => Writing<boolean>
    /** Hands the next events of a running resend to delivery, as far as there is room. */
    readonly resendMore: (endpointId: string, now: number) => Writing<Resending>
  }
>()("journeys/actors/DeliveryStore") {}

/**
 * A webhook delivery that can be attempted: one event on its way to one endpoint, as the endpoint's actor works with it.
 *
 *                        ┌────────── failed, tries left ──────────┐
 *                        ▼                                        │
 *   event ──▶ PENDING ──due──▶ in flight ──▶ ended ──recorded──▶ DELIVERED (2xx)
 *               │  ▲                                          └▶ GIVEN_UP  (the last try failed)
 *   endpoint off│  │resent by the owner
 *               ▼  │
 *             PARKED
 *
 * The states in capitals stand in the table. In flight and ended exist in the memory of the actor only, so an attempt whose
 * record is lost is made again. A resend makes a DELIVERED or GIVEN_UP delivery PENDING, too.
 */
import type { AttemptTrigger } from "../../../schema/webhook/WebhookDelivery.ts"
import type { EventId, JourneyId } from "../../../schema/ids.ts"

/** Times are epoch milliseconds. */
export interface DueWebhookDelivery {
  readonly eventId: EventId
  /** Null when the delivery is not due by itself: a test at an endpoint that is off. */
  readonly dueAt: number | null
  /** An event type; a newer version may have written one that this version does not know. */
  readonly type: string
  /** The text to send, byte for byte. */
  readonly body: string
  /** When the event happened. */
  readonly createdAt: number
  /** The span that wrote the event; null without a tracer. */
  readonly traceparent: string | null
  /** For a ping or a sample, which belong to no journey, this is the event's own id and `sequence` is 0. */
  readonly journeyId: JourneyId
  readonly sequence: number
  /** Attempts ever made. The number also says which state of the delivery an outcome was decided on. */
  readonly attempts: number
  /** Attempts that count against the schedule. */
  readonly tries: number
  readonly trigger: AttemptTrigger
}

/** A place in the endpoint's queue: behind this delivery. */
export interface DuePlace {
  readonly dueAt: number
  readonly eventId: EventId
}

/** The first attempt of a journey's event. Only these are kept in order (W14). */
export const isFirstAttempt = ({ attempts, sequence }: DueWebhookDelivery): boolean => attempts === 0 && sequence > 0

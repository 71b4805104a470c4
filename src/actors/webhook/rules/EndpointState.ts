/**
 * Everything that an endpoint's actor holds in memory, as one value. Nothing in it is the only copy: what is due, the
 * settings and the health stand in the database, so that a new actor begins with `newEndpointState`.
 */
import { Duration } from "effect"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { dropWaiting, emptyBuffer, unrecordedIn, type DeliveryBuffer } from "./DeliveryBuffer.ts"
import type { DuePlace, DueWebhookDelivery } from "./DueWebhookDelivery.ts"
import type { EndpointAction, EndpointQuestion, EndpointSettings, Ticket } from "./EndpointMessage.ts"
import { noHealthChanges, type HealthChanges } from "./healthChanges.ts"
import type { EndpointId, EventId } from "../../../schema/ids.ts"

const bufferKeptMillis = Duration.toMillis(webhookLimits.bufferKept)

/** A test attempt that nobody has begun. `delivery` is `Unread` until the database has answered. */
export interface WantedTest {
  readonly eventId: EventId
  readonly ticket: Ticket
  readonly delivery: DueWebhookDelivery | null | "Unread"
}

export interface EndpointState {
  readonly endpointId: EndpointId
  /** The settings as they were last read; null: not read yet, outdated, or there is no endpoint any more. */
  readonly settings: (EndpointSettings & { readonly readAt: number }) | null
  readonly health: HealthChanges
  readonly buffer: DeliveryBuffer
  /** Attempts in flight, tests included. */
  readonly inFlight: number
  /** How many attempts may be in flight. */
  readonly window: number
  /** The URL that the open channel leads to. */
  readonly openUrl: string | null
  /** Where the actor stands in reading what is due. */
  readonly reading: {
    /** The next read begins behind this place; null: with the oldest. */
    readonly place: DuePlace | null
    /** When the deliveries in the buffer were read. */
    readonly readAt: number
    readonly isMoreDue: boolean
    readonly mayResend: boolean
  }
  /** Oldest first. */
  readonly wantedTests: ReadonlyArray<WantedTest>
  /** Tests that are in flight or not recorded, with those who wait for them. */
  readonly startedTests: ReadonlyArray<Pick<WantedTest, "eventId" | "ticket">>
  readonly isStopping: boolean
  /** The last question failed, and the operators know it. */
  readonly isBlocked: boolean
}

/** What follows from a message. The question is asked after the actions, and its answer is the next message. */
export interface EndpointDecision {
  readonly state: EndpointState
  readonly actions: ReadonlyArray<EndpointAction>
  readonly question: EndpointQuestion | null
}

export const newEndpointState = (endpointId: EndpointId): EndpointState => ({
  endpointId,
  settings: null,
  health: noHealthChanges,
  buffer: emptyBuffer,
  inFlight: 0,
  window: webhookLimits.firstInFlight,
  openUrl: null,
  reading: { place: null, readAt: 0, isMoreDue: true, mayResend: true },
  wantedTests: [],
  startedTests: [],
  isStopping: false,
  isBlocked: false
})

/** The actor has stopped when every attempt that it began is recorded. */
export const hasStopped = ({ buffer, isStopping }: EndpointState): boolean => isStopping && unrecordedIn(buffer) === 0

/** Forgets what was read, so that it is read again. What is in flight stays. */
export const forgetRead = (state: EndpointState): EndpointState => ({
  ...state,
  settings: null,
  buffer: dropWaiting(state.buffer),
  reading: { ...state.reading, place: null, isMoreDue: true, mayResend: true }
})

/** Forgets the deliveries that wait, so that they are read again. */
export const forgetWaiting = (state: EndpointState): EndpointState => ({
  ...state,
  buffer: dropWaiting(state.buffer),
  reading: { ...state.reading, place: null, isMoreDue: true }
})

/** Whether the deliveries in the buffer were read so long ago that they may be others by now. */
export const isBufferOld = ({ buffer, reading }: EndpointState, now: number): boolean =>
  buffer.waiting > 0 && now - reading.readAt >= bufferKeptMillis

/** Whether the settings must be read. While a change of the health is unwritten the table would not know of it. */
export const needsSettings = ({ health, settings }: EndpointState, now: number): boolean =>
  settings === null || (now - settings.readAt >= bufferKeptMillis && health.unwritten.length === 0)

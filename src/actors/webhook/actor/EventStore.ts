/**
 * The port to the events of a company and mode, for callers who read events instead of receiving them, or as well. Events
 * come in the order in which they became visible, so a reader that continues from a cursor misses none.
 */
import { Context, type Effect } from "effect"
import type { EventType } from "../../../schema/journey/events.ts"
import type { Scope } from "../../kernel/Scope.ts"
import type { StoreUnavailable } from "../../kernel/StoreError.ts"
import type { EventId, JourneyId } from "../../../schema/ids.ts"

/** A place among events: after the event `id` of the transaction `tx`, a decimal number. */
export interface EventCursor {
  readonly tx: string
  readonly id: string
}

export interface StoredEvent {
  readonly id: string
  readonly cursor: EventCursor
  /** The number of the event in its journey; null for a ping or a sample. */
  readonly sequence: number | null
  /** The bytes that are delivered. */
  readonly body: string
}

export interface EventQuery {
  readonly journeyId: JourneyId | null
  /** Null: all of them. */
  readonly types: ReadonlyArray<EventType> | null
  /** Only events that the endpoint has received, or only others; null: all of them. */
  readonly delivered: boolean | null
  /** Only events that were written from this time on, in milliseconds; null: all of them. */
  readonly since: number | null
  readonly after: EventCursor | null
  readonly size: number
}

export interface EventPage {
  readonly content: ReadonlyArray<StoredEvent>
  /** Behind the last event that was looked at. Events that become visible later come after this place. */
  readonly next: EventCursor
}

type Reading<A> = Effect.Effect<A, StoreUnavailable>

export class EventStore extends Context.Service<
  EventStore,
  {
    /**
     * Oldest first. A page before the last may hold less than was asked for, or nothing: the search for events that pass a
     * narrow filter is bounded.
     */
    readonly list: (scope: Scope, query: EventQuery) => Reading<EventPage>
    readonly find: (scope: Scope, eventId: EventId) => Reading<StoredEvent | null>
    /** The place behind everything that is visible now. */
    readonly end: Reading<EventCursor>
  }
>()("journeys/actors/EventStore") {}

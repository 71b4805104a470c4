/**
 * The port to the events of a company and mode, for whoever follows them instead of, or beside, receiving them. They
 * come in the order they became visible, so a reader that goes on from a cursor misses none.
 */
import { Context, type Effect } from "effect"
import type { EventType } from "../../../schema/journey/events.ts"
import type { Scope } from "../../kernel/Scope.ts"
import type { StoreUnavailable } from "../../kernel/StoreError.ts"

/** A place among events: after the event `id` of the transaction `tx`, a decimal number. */
export interface EventCursor {
  readonly tx: string
  readonly id: string
}

export interface StoredEvent {
  readonly id: string
  readonly cursor: EventCursor
  /** Its number in its journey; null for a ping or a sample. */
  readonly sequence: number | null
  /** The bytes that are delivered. */
  readonly body: string
}

export interface EventQuery {
  readonly journeyId: string | null
  readonly type: EventType | null
  /** Whether the endpoint has had it; null: either. */
  readonly delivered: boolean | null
  readonly after: EventCursor | null
  readonly size: number
}

export interface EventPage {
  readonly content: ReadonlyArray<StoredEvent>
  /** Behind the last event that was looked at. Not behind the present end: what is visible later comes after it. */
  readonly next: EventCursor
}

type Reading<A> = Effect.Effect<A, StoreUnavailable>

export class EventStore extends Context.Service<
  EventStore,
  {
    /**
     * Oldest first. A page may hold less than was asked for, or nothing, and not be the last: a filter that little passes
     * is not searched for without end.
     */
    readonly list: (scope: Scope, query: EventQuery) => Reading<EventPage>
    readonly find: (scope: Scope, eventId: string) => Reading<StoredEvent | null>
    /** The place behind everything that is visible now. */
    readonly end: Reading<EventCursor>
  }
>()("journeys/actors/EventStore") {}

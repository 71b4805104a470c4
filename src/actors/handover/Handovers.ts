/**
 * The port to the handovers that brokers have named a dealer for: which there are, and the events of one. Only live journeys
 * whose handover exists are among them, and a dealer that was turned off has none. Who may look is the endpoint's to say.
 */
import { Context, type Effect } from "effect"
import type { CompanyId, JourneyId } from "../../schema/ids.ts"
import type { EventType } from "../../schema/journey/events.ts"
import type { HandoverStanding } from "../../schema/review/DealerHandover.ts"
import type { JourneySearch } from "../journey/list/journeySearch.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import type { JourneyUnreadable, StoreUnavailable } from "../kernel/StoreError.ts"

export interface NamedHandover {
  readonly journey: Journey
  /** The broker's name. */
  readonly broker: string
}

export interface ListedHandover extends NamedHandover {
  /** Null when the customer was erased, as the registration is. */
  readonly customerName: string | null
  readonly registration: string | null
}

/** An event of the handover. Time is epoch milliseconds. */
export interface HandoverEvent {
  readonly type: EventType
  readonly at: number
}

export interface FoundHandover extends NamedHandover {
  /** The newest of them, the oldest first. */
  readonly events: ReadonlyArray<HandoverEvent>
}

export interface HandoverListAsk {
  /** Null: those that go on, and those that are over. */
  readonly standing: HandoverStanding | null
  readonly search: JourneySearch | null
  /** The last handover of the page before. */
  readonly after: string | null
  readonly size: number
}

export class Handovers extends Context.Service<
  Handovers,
  {
    /** Newest first, those behind a handover that the list has shown. `next`: null when nothing follows. */
    readonly list: (
      dealer: CompanyId,
      ask: HandoverListAsk
    ) => Effect.Effect<
      { readonly content: ReadonlyArray<ListedHandover>; readonly next: string | null },
      StoreUnavailable
    >
    /** Null: the journey is none whose handover this dealer sees. */
    readonly find: (
      dealer: CompanyId,
      journeyId: JourneyId
    ) => Effect.Effect<FoundHandover | null, StoreUnavailable | JourneyUnreadable>
  }
>()("journeys/actors/Handovers") {}

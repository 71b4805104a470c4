/**
 * The port to the list of a company's journeys as its people read it: filtered, searched and walked by a cursor. Every page
 * costs the same, wherever in the list it lies. What a company's programs read is `JourneyStore.list`. Times are epoch
 * milliseconds.
 */
import { Context, type Effect } from "effect"
import type { CompanyId } from "../../../schema/ids.ts"
import type { JourneyFilter } from "../../../schema/company/ListedJourney.ts"
import type { StoreUnavailable } from "../../kernel/StoreError.ts"
import type { Journey } from "../rules/state/Journey.ts"
import type { JourneySearch } from "./journeySearch.ts"

export interface JourneyListAsk {
  readonly filter: JourneyFilter
  readonly search: JourneySearch | null
  /** The last journey of the page before. One that is not the company's is followed by nothing. */
  readonly after: string | null
  readonly size: number
}

export interface ListedJourney {
  readonly journey: Journey
  readonly waitingSince: number | null
  /** Null when the customer was erased, as the registration is. */
  readonly customerName: string | null
  readonly registration: string | null
}

export interface ListedPage {
  readonly content: ReadonlyArray<ListedJourney>
  /** Where the next page goes on; null when this is the last. */
  readonly next: string | null
}

export class JourneyList extends Context.Service<
  JourneyList,
  {
    /** Newest first. A journey that cannot be read is left out, and the log says so. */
    readonly list: (companyId: CompanyId, ask: JourneyListAsk) => Effect.Effect<ListedPage, StoreUnavailable>
  }
>()("journeys/actors/JourneyList") {}

/** The port to the months of the tables that only grow: how large each is, and which live journey keeps it. */
import { Context, type Effect } from "effect"
import type { JourneyId } from "../../schema/ids.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export interface Month {
  readonly table: string
  readonly part: string
  /** In epoch milliseconds; null: it takes the rows that no month takes. */
  readonly endsAt: number | null
  readonly rows: number
  readonly bytes: number
  readonly oldestLiveJourney: JourneyId | null
}

export class MonthList extends Context.Service<
  MonthList,
  { readonly all: Effect.Effect<ReadonlyArray<Month>, StoreUnavailable> }
>()("journeys/actors/MonthList") {}

/** The port to the active journeys of all companies by what they wait on. What a journey waits on is decided by its rules. */
import { Context, type Effect } from "effect"
import type { CompanyId, JourneyId } from "../../schema/ids.ts"
import type { JourneyType } from "../../schema/journey/statuses.ts"
import type { waitingOn } from "../../schema/journey/steps.ts"
import type { PlaceInTime } from "../../schema/decoding/place.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

type WaitingOn = (typeof waitingOn)[number]

/** Times are epoch milliseconds. */
export interface WaitingJourney {
  readonly place: PlaceInTime
  readonly journeyId: JourneyId
  readonly companyId: CompanyId
  readonly companyName: string
  readonly livemode: boolean
  readonly type: JourneyType | null
  readonly waitingOn: WaitingOn
  readonly since: number
}

export interface WaitingWish {
  /** Null: on anything. */
  readonly waitingOn: WaitingOn | null
  /** Since then or before; null: since whenever. */
  readonly before: number | null
  readonly after: PlaceInTime | null
  readonly size: number
}

export class WaitingJourneys extends Context.Service<
  WaitingJourneys,
  {
    /** The longest waiting first. */
    readonly list: (wish: WaitingWish) => Effect.Effect<ReadonlyArray<WaitingJourney>, StoreUnavailable>
  }
>()("journeys/actors/WaitingJourneys") {}

/** The port to webhook endpoints over all companies that nothing reaches. When that is so is decided in `webhook/rules`. */
import { Context, type Effect } from "effect"
import type { CompanyId, EndpointId } from "../../schema/ids.ts"
import type { PlaceInTime } from "../../schema/decoding/place.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

/** Times are epoch milliseconds. */
export interface FailingEndpoint {
  readonly place: PlaceInTime
  readonly id: EndpointId
  readonly companyId: CompanyId
  readonly companyName: string
  readonly livemode: boolean
  readonly url: string
  readonly failingSince: number
  readonly lastFailedAt: number | null
  readonly enabled: boolean
  readonly offSince: number | null
}

export class FailingEndpoints extends Context.Service<
  FailingEndpoints,
  {
    /** The longest failing first. */
    readonly list: (
      after: PlaceInTime | null,
      size: number
    ) => Effect.Effect<ReadonlyArray<FailingEndpoint>, StoreUnavailable>
  }
>()("journeys/actors/FailingEndpoints") {}

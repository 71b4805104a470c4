/**
 * The port to a company's stock of vehicles. A completed handover marks its vehicle SOLD in the commit that completes the
 * handover, once, whatever happens to the vehicle later. A vehicle that the stock does not know becomes a note for the
 * team, and the handover stays completed (decision H8).
 */
import { Context, type Effect } from "effect"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { StockPlace } from "../../schema/company/stockPlace.ts"
import type { StockVehicle, VehicleStatus } from "../../schema/company/StockVehicle.ts"
import type { PieceOf } from "../../schema/page.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { CompanyId } from "../../schema/ids.ts"

/** Which vehicles: null asks for all of them. */
export interface StockFilter {
  /** What their ids begin with; letters' case does not count. */
  readonly search: string | null
  readonly status: VehicleStatus | null
}

/** Where a piece of the stock begins: after the vehicle of this place. */
export interface StockPieceRequest {
  readonly after: StockPlace | null
  readonly size: number
}

export class Stock extends Context.Service<
  Stock,
  {
    /** The last changed first; with a search, by their ids. A piece costs the same wherever it begins. */
    readonly vehicles: (
      companyId: CompanyId,
      filter: StockFilter,
      piece: StockPieceRequest
    ) => Effect.Effect<PieceOf<StockVehicle>, StoreUnavailable>
    /** The vehicle with its new status. A vehicle that the stock did not know is added. */
    readonly save: (
      companyId: CompanyId,
      vehicle: Pick<StockVehicle, "id" | "status">,
      line: AuditLine
    ) => Effect.Effect<StockVehicle, StoreUnavailable | CommitUnknown>
  }
>()("journeys/actors/Stock") {}

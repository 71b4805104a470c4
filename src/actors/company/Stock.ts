/**
 * The port to a company's stock of vehicles as its team keeps it. A completed handover marks its vehicle SOLD in the
 * commit that completes it, once, whatever happens to the vehicle afterwards; a vehicle the stock does not know becomes a
 * note for the team, and the completion stands (decision H8).
 */
import { Context, type Effect } from "effect"
import type { VehicleStatus } from "../../schema/company/Vehicle.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { AuditLine } from "./CompanyStore.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"

export interface StockVehicle {
  readonly id: string
  readonly status: VehicleStatus
  /** The journey whose handover sold it. */
  readonly soldBy: string | null
  /** Epoch milliseconds. */
  readonly changedAt: number
}

type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class Stock extends Context.Service<
  Stock,
  {
    /** Last changed first. */
    readonly vehicles: (companyId: string, page: PageRequest) => Effect.Effect<PageOf<StockVehicle>, StoreUnavailable>
    /** The vehicle with that status, made known to the stock if it was not. */
    readonly save: (
      companyId: string,
      vehicle: Pick<StockVehicle, "id" | "status">,
      line: AuditLine
    ) => Writing<StockVehicle>
  }
>()("journeys/actors/Stock") {}

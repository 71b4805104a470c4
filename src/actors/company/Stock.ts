/**
 * The port to a company's stock of vehicles. A completed handover marks its vehicle SOLD in the commit that completes the
 * handover, once, whatever happens to the vehicle later. A vehicle that the stock does not know becomes a note for the
 * team, and the handover stays completed (decision H8).
 */
import { Context, type Effect } from "effect"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { StockVehicle } from "../../schema/company/StockVehicle.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { CompanyId } from "../../schema/ids.ts"

export class Stock extends Context.Service<
  Stock,
  {
    /** The last changed first. */
    readonly vehicles: (
      companyId: CompanyId,
      page: PageRequest
    ) => Effect.Effect<PageOf<StockVehicle>, StoreUnavailable>
    /** The vehicle with its new status. A vehicle that the stock did not know is added. */
    readonly save: (
      companyId: CompanyId,
      vehicle: Pick<StockVehicle, "id" | "status">,
      line: AuditLine
    ) => Effect.Effect<StockVehicle, StoreUnavailable | CommitUnknown>
  }
>()("journeys/actors/Stock") {}

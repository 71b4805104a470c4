/** A company's stock of vehicles as its team sees it: what the caller's `inventoryVehicleId` stands for. */
import { Schema } from "effect"

export const VehicleStatus = Schema.Literals(["IN_STOCK", "SOLD"])
export type VehicleStatus = typeof VehicleStatus.Type

/** What a completed handover came to in the stock: all but MARKED is a note for the team (decision H8). */
export const SaleOutcome = Schema.Literals(["MARKED", "ALREADY_SOLD", "UNKNOWN"])
export type SaleOutcome = typeof SaleOutcome.Type

export const StockVehicleResource = Schema.Struct({
  id: Schema.String.annotate({ description: "The inventoryVehicleId of starts" }),
  status: VehicleStatus,
  soldBy: Schema.NullOr(Schema.String).annotate({
    description: "The journey whose handover sold it; null while it is in stock, or when somebody said that it is sold"
  }),
  changedAt: Schema.String
}).annotate({ identifier: "StockVehicle" })
export type StockVehicleResource = typeof StockVehicleResource.Type

export const VehicleBody = Schema.Struct({ status: VehicleStatus }).annotate({ identifier: "StockVehicleChange" })
export type VehicleBody = typeof VehicleBody.Type

/** A vehicle in a company's stock as its team sees it: what the caller's `inventoryVehicleId` stands for. */
import { Schema } from "effect"
import { exampleId } from "../exampleId.ts"
import { fixedField, ModelClass, ModelField, withExample, named } from "../model.ts"
import { momentField } from "../moment.ts"

export const VehicleStatus = Schema.Literals(["IN_STOCK", "SOLD"])
export type VehicleStatus = typeof VehicleStatus.Type

/** What a completed handover did to the stock: every outcome but MARKED is a note for the team (decision H8). */
export const SaleOutcome = Schema.Literals(["MARKED", "ALREADY_SOLD", "UNKNOWN"])
export type SaleOutcome = typeof SaleOutcome.Type

export class StockVehicle extends ModelClass<StockVehicle>("StockVehicle")({
  id: fixedField(Schema.String.annotate({ description: "The inventoryVehicleId of starts" }), {
    example: "stock-88213"
  }),
  status: ModelField({
    row: VehicleStatus,
    shown: VehicleStatus,
    resource: withExample(VehicleStatus, "SOLD"),
    create: withExample(VehicleStatus, "IN_STOCK")
  }),
  soldBy: fixedField(
    Schema.NullOr(Schema.String).annotate({
      description:
        "The journey whose handover sold it; null while it is in stock, or when somebody said that it is sold"
    }),
    { example: exampleId("journey", 1) }
  ),
  changedAt: momentField("2026-01-15T10:31:09.044Z")
}) {}

export const StockVehicleResource = named(StockVehicle.resource, "StockVehicle")
export type StockVehicleResource = typeof StockVehicleResource.Type

export const stockVehicleResource: (vehicle: StockVehicle) => StockVehicleResource = Schema.encodeSync(
  StockVehicle.shown
)

export const VehicleBody = named(StockVehicle.create, "StockVehicleChange")
export type VehicleBody = typeof VehicleBody.Type

/**
 * A company's stock of vehicles: what is in the stock, and what the company's team says about one vehicle. A completed
 * handover marks its vehicle as sold by itself; that is the journey's work.
 */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { Stock } from "../../../actors/company/Stock.ts"
import { readStockCursor, StockCursor } from "../../../schema/company/stockPlace.ts"
import {
  StockVehicleResource,
  stockVehicleResource,
  VehicleBody,
  VehicleStatus
} from "../../../schema/company/StockVehicle.ts"
import { exampleOf } from "../../../schema/model.ts"
import { pieceQuery, usualPageSize } from "../../../schema/decoding/parameters.ts"
import { otherSystemsId } from "../../../schema/start/vehicle.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample, pieceAnswer } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { auditLine, written } from "../frame/change.ts"
import { companyPath, companyAsked, ofCompany, pieces } from "../frame/ofCompany.ts"

const path = `${companyPath}/vehicles` as const

const example = exampleOf(StockVehicleResource)

const VehicleQuery = Schema.Struct({
  search: Schema.optionalKey(
    otherSystemsId.annotate({ description: "Only vehicles whose id begins with this; letters' case does not count" })
  ),
  status: Schema.optionalKey(VehicleStatus.annotate({ description: "Only vehicles of this status" })),
  ...pieceQuery(StockCursor)
})

const listVehicles = HttpApiEndpoint.get("listVehicles", path, {
  params: ofCompany,
  query: VehicleQuery,
  success: pieces("StockVehiclePage", StockVehicleResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List vehicles",
    allowedTo: "TEAM",
    description:
      "The stock behind `inventoryVehicleId`, last changed first; with `search` by their ids. Go on with `next` as `cursor` until it is null.",
    answer: pieceAnswer("Vehicles", example)
  })
)

const saveVehicle = HttpApiEndpoint.put("saveVehicle", `${path}/:vehicleId`, {
  params: { ...ofCompany, vehicleId: otherSystemsId.annotate({ description: "The inventoryVehicleId of starts" }) },
  payload: VehicleBody,
  success: answerOf("StockVehicleAnswer", StockVehicleResource),
  error: refusedWith(ofAnyCompany, ...ofAnyBody)
}).annotateMerge(
  described({
    summary: "Save a vehicle",
    allowedTo: "TEAM",
    description:
      "Makes a vehicle known to the stock, or changes its status. A live handover that completes marks its vehicle SOLD by itself.",
    request: jsonExample("A vehicle that is for sale", exampleOf(VehicleBody)),
    answer: answer("The vehicle as it is now", "Vehicle saved", { ...example, status: "IN_STOCK", soldBy: null })
  })
)

export const vehicleOperations = operatorResource([listVehicles, saveVehicle], {
  listVehicles: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const { cursor, search = null, size, status = null } = yield* asked.query
      const stock = yield* Stock
      const { content, next } = yield* stock.vehicles(
        id,
        { search, status },
        { after: cursor === undefined ? null : readStockCursor(cursor), size: size ?? usualPageSize }
      )
      return { content: content.map(stockVehicleResource), next }
    }),

  saveVehicle: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const vehicleId = yield* asked.path("vehicleId")
      const { status } = yield* asked.body
      const stock = yield* Stock
      const line = yield* auditLine("vehicle.saved", { vehicleId, status })
      return stockVehicleResource(yield* written(stock.save(id, { id: vehicleId, status }, line)))
    })
})

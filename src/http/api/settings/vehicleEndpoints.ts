/** A company's stock of vehicles: what is in it, and what its team says about one. Handovers sell vehicles by themselves. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { timestamp } from "../../../actors/company/resources.ts"
import { Stock, type StockVehicle } from "../../../actors/company/Stock.ts"
import { decodeVehicle, decodeVehicleId, type StockVehicleResource } from "../../../schema/company/Vehicle.ts"
import { pageData, readPageQuery } from "../../server/pageQuery.ts"
import { orProblems, success } from "../../server/problems.ts"
import { auditLine, written } from "./change.ts"
import { pathCompany } from "./companyEndpoints.ts"
import { decoded, operatorBodyEndpoint, operatorEndpoint } from "./operatorEndpoint.ts"

const resourceOf = ({ changedAt, ...vehicle }: StockVehicle): StockVehicleResource => ({
  ...vehicle,
  changedAt: timestamp(changedAt)
})

export const listVehiclesEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/vehicles")(function* (request) {
    const { id } = yield* pathCompany
    const query = yield* readPageQuery(request)
    const stock = yield* Stock
    return success(200, pageData(query, yield* stock.vehicles(id, query), resourceOf), "Vehicles")
  })
)

export const saveVehicleEndpoint = operatorBodyEndpoint(
  Effect.fn("PUT /settings/v1/companies/{companyId}/vehicles/{vehicleId}")(function* (request) {
    const { id } = yield* pathCompany
    const params = yield* HttpRouter.params
    // Of an id no rule depends on facts.
    const given = decodeVehicleId({ vehicleId: params["vehicleId"] }, { now: 0, allowInsecure: false })
    const { vehicleId } = yield* orProblems(given)
    const { status } = yield* decoded(request, decodeVehicle)
    const stock = yield* Stock
    const line = yield* auditLine("vehicle.saved", { vehicleId, status })
    const saved = yield* written(stock.save(id, { id: vehicleId, status }, line))
    return success(200, resourceOf(saved), "Vehicle saved")
  })
)

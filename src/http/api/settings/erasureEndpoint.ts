/**
 * Erasing a customer: everything the service knows of a person, in one request that may be repeated. What was answered
 * before goes on by itself until it is finished.
 */
import { Effect } from "effect"
import { CustomerErasure } from "../../../actors/erasure/CustomerErasure.ts"
import { success } from "../../server/problems.ts"
import { auditLine, written } from "../change.ts"
import { notFound, pathCompany, pathId } from "./companyEndpoints.ts"
import { operatorEndpoint } from "../../server/operator.ts"
import { erasureResource } from "../../../schema/company/Erasure.ts"

export const eraseCustomerEndpoint = operatorEndpoint(
  Effect.fn("DELETE /settings/v1/companies/{companyId}/customers/{customerReference}")(function* () {
    const { id } = yield* pathCompany
    const customerReference = yield* pathId("customerReference")
    const { erase } = yield* CustomerErasure
    const line = yield* auditLine("customer.erased", { customerReference })
    const erasure = (yield* written(erase(id, customerReference, line))) ?? (yield* notFound("customer"))
    return success(
      200,
      erasureResource(erasure),
      erasure.erasedAt === null ? "The customer is being erased" : "Customer erased"
    )
  })
)

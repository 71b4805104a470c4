/**
 * Erasing a customer: everything that the service knows of a person, in one request that may be repeated. An erasure that
 * was answered before its end goes on by itself until it is finished.
 */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CustomerErasure } from "../../actors/erasure/CustomerErasure.ts"
import { ErasureResource, erasureResource } from "../../schema/company/Erasure.ts"
import { exampleOf } from "../../schema/model.ts"
import { Id, naming } from "../../schema/parameters.ts"
import { ofAnyCompany } from "../server/commonRefusals.ts"
import { answer, described } from "../server/described.ts"
import { answerOf, refusedWith } from "../server/envelope.ts"
import { success } from "../server/problems.ts"
import { operatorResource } from "../server/serve.ts"
import { auditLine, written } from "./change.ts"
import { companyPath, companyAsked, notFound, ofCompany } from "./ofCompany.ts"

const eraseCustomer = HttpApiEndpoint.delete("eraseCustomer", `${companyPath}/customers/:customerReference`, {
  params: {
    ...ofCompany,
    customerReference: Id.annotate({ description: "As journeys and events say it", ...naming("customer") })
  },
  success: answerOf("ErasureAnswer", ErasureResource),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Erase a customer",
    allowedTo: "OWNER",
    description:
      "Cancels the customer's running journeys and deletes the key that everything personal of them is sealed with, and the sealed records. Journeys, events and the ledger stay: they hold no personal data. There is no way back. Repeating it is safe and says how far it is.",
    answer: answer("How far the erasure is", "Customer erased", exampleOf(ErasureResource))
  })
)

export const customerOperations = operatorResource([eraseCustomer], {
  eraseCustomer: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const customerReference = yield* asked.path("customerReference")
      const { erase } = yield* CustomerErasure
      const line = yield* auditLine("customer.erased", { customerReference })
      const erasure = (yield* written(erase(id, customerReference, line))) ?? (yield* notFound("customer"))
      const resource = erasureResource(erasure)
      return erasure.erasedAt === null ? success(200, resource, "The customer is being erased") : resource
    })
})

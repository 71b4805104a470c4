/**
 * Erasing a customer: everything that the service knows of a person, in one request that may be repeated. An erasure that
 * was answered before its end goes on by itself until it is finished. Afterwards there is a proof of it, as a file to keep.
 */
import { Clock, Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CustomerErasure } from "../../actors/erasure/CustomerErasure.ts"
import { Erasures } from "../../actors/erasure/Erasures.ts"
import { signedProof } from "../../actors/erasure/proofSignature.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { erasureProofExample, ErasureProofResource } from "../../schema/company/ErasureProof.ts"
import { timestamp, timestampOrNull } from "../../schema/moment.ts"
import { ErasureResource, erasureResource } from "../../schema/company/Erasure.ts"
import { exampleOf } from "../../schema/model.ts"
import { Id, naming } from "../../schema/parameters.ts"
import { ofAnyCompany } from "../server/commonRefusals.ts"
import { answer, described } from "../server/described.ts"
import { answerOf, refusedWith } from "../server/envelope.ts"
import { problem, success } from "../server/problems.ts"
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

const ErasureProofAnswer = answerOf("ErasureProofAnswer", ErasureProofResource)

const getErasureProof = HttpApiEndpoint.get(
  "getErasureProof",
  `${companyPath}/customers/:customerReference/erasure-proof`,
  {
    params: {
      ...ofCompany,
      customerReference: Id.annotate({ description: "As journeys and events say it", ...naming("customer") })
    },
    success: ErasureProofAnswer,
    error: refusedWith(ofAnyCompany, "CONFLICT")
  }
).annotateMerge(
  described({
    summary: "Get the proof of an erasure",
    allowedTo: "TEAM",
    description:
      "What was erased and when, and which key was destroyed, signed with the installation's own key. Keep the answer as a file: it holds no personal data. CONFLICT while the erasure is under way.",
    answer: answer("The proof", "Proof of the erasure", erasureProofExample)
  })
)

const underWay = () => problem("CONFLICT", "customer", "The customer is still being erased; ask again in a minute")

export const customerOperations = operatorResource([eraseCustomer, getErasureProof], {
  getErasureProof: (asked) =>
    Effect.gen(function* () {
      const { id: companyId } = yield* companyAsked(asked)
      const customerReference = yield* asked.path("customerReference")
      const { find } = yield* Erasures
      const found = (yield* find({ companyId, customerId: customerReference })) ?? (yield* notFound("customer"))
      const { erasedAt, finishedAt, requestedAt } = found.erasure
      if (erasedAt === null) return yield* underWay()
      return signedProof(yield* Vault, {
        companyId,
        customerReference,
        journeys: found.journeys,
        keyId: found.keyId,
        requestedAt: timestamp(requestedAt),
        erasedAt: timestamp(erasedAt),
        finishedAt: timestampOrNull(finishedAt),
        issuedAt: timestamp(yield* Clock.currentTimeMillis)
      })
    }),

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

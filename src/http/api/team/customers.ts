/**
 * Correcting and erasing a customer. A correction replaces what the records of all their journeys say. An erasure is everything that
 * the service knows of a person, in one request that may be repeated; one that was answered before its end goes on by itself until it
 * is finished. Afterwards there is a proof of it, as a file to keep.
 */
import { Clock, Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CustomerCorrections, type Correcting, type Fixed } from "../../../actors/customer/correction.ts"
import { CustomerErasure } from "../../../actors/erasure/CustomerErasure.ts"
import { Erasures } from "../../../actors/erasure/Erasures.ts"
import { signedProof } from "../../../actors/erasure/proofSignature.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import {
  correctionExample,
  CorrectionResource,
  CustomerCorrection,
  type CorrectedField
} from "../../../schema/customer/CustomerCorrection.ts"
import { erasureProofExample, ErasureProofResource } from "../../../schema/erasure/ErasureProof.ts"
import { timestamp, timestampOrNull } from "../../../schema/moment.ts"
import { ErasureResource, erasureResource } from "../../../schema/erasure/Erasure.ts"
import { exampleOf } from "../../../schema/model.ts"
import { Id, naming } from "../../../schema/decoding/parameters.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { problem, success } from "../../server/answers/problems.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { auditLine, written } from "../frame/change.ts"
import { signInFreshOrRefused } from "../frame/freshSignIn.ts"
import { companyPath, companyAsked, notFound, ofCompany } from "../frame/ofCompany.ts"

const eraseCustomer = HttpApiEndpoint.delete("eraseCustomer", `${companyPath}/customers/:customerReference`, {
  params: {
    ...ofCompany,
    customerReference: Id.annotate({ description: "As journeys and events say it", ...naming("customer") })
  },
  success: answerOf("ErasureAnswer", ErasureResource),
  error: refusedWith(ofAnyCompany, "SIGN_IN_AGAIN")
}).annotateMerge(
  described({
    summary: "Erase a customer",
    allowedTo: "OWNER",
    description:
      "Cancels the customer's running journeys and deletes the key that everything personal of them is sealed with, and the sealed records. Journeys, events and the ledger stay: they hold no personal data. There is no way back: a member must have signed in a short while ago. Repeating it is safe and says how far it is.",
    answer: answer("How far the erasure is", "Customer erased", exampleOf(ErasureResource))
  })
)

const correctCustomer = HttpApiEndpoint.patch("correctCustomer", `${companyPath}/customers/:customerReference`, {
  params: {
    ...ofCompany,
    customerReference: Id.annotate({ description: "As journeys and events say it", ...naming("customer") })
  },
  payload: CustomerCorrection,
  success: answerOf("CorrectionAnswer", CorrectionResource),
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Correct a customer's data",
    allowedTo: "TEAM",
    description:
      "Replaces what all journeys of the customer say; nothing keeps the values of before, and the audit log names the fields alone. Names, title and birth date are CONFLICT once an identity was verified with them, and when the service has sent them to a lender: cancel the journey and start it again. Another email address ends the customer's links and sessions at once, and a new link is mailed to it for what the customer is asked for; an address that another customer of the company has is CONFLICT.",
    request: jsonExample("Another address and telephone", {
      mobile: "07700 900456",
      email: "sam.taylor@example.com"
    } satisfies CustomerCorrection),
    answer: answer("What was corrected", "Customer corrected", correctionExample)
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

const because: Readonly<Record<Fixed, string>> = {
  VERIFIED: "The customer's identity was verified with it",
  SENT: "It was sent to the lender with the application"
}

const correctedOr = (result: Correcting, customerReference: string) => {
  switch (result._tag) {
    case "CORRECTED": {
      const { fields, journeys, linksMailed } = result
      return Effect.succeed(
        success(200, { customerReference, corrected: fields, journeys, linksMailed }, "Customer corrected")
      )
    }
    case "SAME": {
      const { journeys } = result
      return Effect.succeed(
        success(200, { customerReference, corrected: [], journeys, linksMailed: 0 }, "Nothing changed")
      )
    }
    case "FIXED":
      return problem("CONFLICT", result.field, `${because[result.by]}: cancel the journey and start it again`)
    case "ADDRESS_TAKEN":
      return problem("CONFLICT", "email", "Another customer of the company has this address")
    case "TOO_MANY":
      return problem("CONFLICT", "customer", `The customer has more than ${result.most} journeys`)
    case "NOBODY":
      return notFound("customer")
  }
}

export const customerOperations = operatorResource([correctCustomer, eraseCustomer, getErasureProof], {
  correctCustomer: (asked) =>
    Effect.gen(function* () {
      const { id: companyId } = yield* companyAsked(asked)
      const customerReference = yield* asked.path("customerReference")
      const correction = yield* asked.body
      const { correct } = yield* CustomerCorrections
      const { details, ...line } = yield* auditLine("customer.corrected", { customerReference })
      const lineOf = (fields: ReadonlyArray<CorrectedField>) => ({ ...line, details: { ...details, fields } })
      const result = yield* written(correct({ companyId, customerId: customerReference }, correction, lineOf))
      return yield* correctedOr(result, customerReference)
    }),

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
      yield* signInFreshOrRefused
      const { erase } = yield* CustomerErasure
      const line = yield* auditLine("customer.erased", { customerReference })
      const erasure = (yield* written(erase(id, customerReference, line))) ?? (yield* notFound("customer"))
      const resource = erasureResource(erasure)
      return erasure.erasedAt === null ? success(200, resource, "The customer is being erased") : resource
    })
})

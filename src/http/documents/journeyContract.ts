/**
 * The REST API of §4 as a contract: what each operation takes and answers, in the schemas of the code. It handles
 * nothing; `journeys/journeyRoutes.ts` does, and a test holds the two together.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { JourneyResource } from "../../schema/journey/resource.ts"
import { CustomerFace } from "../../schema/start/customerFace.ts"
import { CancelBody, FinanceDecisionBody, SimulateBody } from "../../schema/journey/operations.ts"
import { IdempotencyKey, JourneyQuery } from "../../schema/parameters.ts"
import { failuresOf } from "../server/envelope.ts"
import { JourneyAnswer, JourneyPageAnswer, ScenariosAnswer } from "./journeyShapes.ts"
import { refusals } from "./refusals.ts"
import { ApiKeyRequired } from "../server/security.ts"
import { Photo, StartJourney, StartJourneyWithPhoto } from "./startRequest.ts"

const params = { journeyId: JourneyResource.fields.id.annotate({ description: "The journey's id" }) }
const headers = {
  "Idempotency-Key": Schema.optionalKey(
    IdempotencyKey.annotate({ description: "Optional: a request repeated with the same key is carried out once" })
  )
}

const startJourney = HttpApiEndpoint.post("startJourney", "/api/v1/journeys", {
  headers: { "Idempotency-Key": IdempotencyKey },
  payload: [StartJourney, StartJourneyWithPhoto],
  success: [JourneyAnswer.pipe(HttpApiSchema.status(202)), JourneyAnswer.pipe(HttpApiSchema.status(200))],
  error: failuresOf(refusals.startJourney)
}).annotateMerge(
  OpenApi.annotations({
    summary: "Start a journey",
    description: [
      "Accepts a journey and answers at once; what follows is told by events and by reading the journey.",
      "",
      "Send JSON, except for a DELIVERY with `saleType` FINANCE_SALE: that one is `multipart/form-data` with the part `journey` (JSON) and the part `customerFace` (the photo).",
      "",
      "A body is checked as a whole: the answer lists every problem it has. Problems of form (400) come before those of rights, consents and configuration (422)."
    ].join("\n")
  })
)

const listJourneys = HttpApiEndpoint.get("listJourneys", "/api/v1/journeys", {
  query: JourneyQuery,
  success: JourneyPageAnswer,
  error: failuresOf(refusals.listJourneys)
}).annotateMerge(
  OpenApi.annotations({
    summary: "List journeys",
    description: "The journeys this key can see, newest first. A parameter that is not listed here is refused."
  })
)

const getJourney = HttpApiEndpoint.get("getJourney", "/api/v1/journeys/:journeyId", {
  params,
  success: JourneyAnswer,
  error: failuresOf(refusals.getJourney)
}).annotateMerge(
  OpenApi.annotations({
    summary: "Get a journey",
    description: "The journey as it is now. A journey of another company, or of the other mode, is not found."
  })
)

const cancelJourney = HttpApiEndpoint.post("cancelJourney", "/api/v1/journeys/:journeyId/cancel", {
  params,
  headers,
  payload: CancelBody,
  success: JourneyAnswer,
  error: failuresOf(refusals.cancelJourney)
}).annotateMerge(
  OpenApi.annotations({
    summary: "Cancel a journey",
    description:
      "Ends a running journey for good. The customer is not mailed; their sign-in link says that the journey is closed."
  })
)

const NewCustomerFace = Schema.Struct({ details: CustomerFace, customerFace: Photo })
  .annotate({ identifier: "NewCustomerFace" })
  .pipe(HttpApiSchema.asMultipart())

const replaceCustomerFace = HttpApiEndpoint.put("replaceCustomerFace", "/api/v1/journeys/:journeyId/customer-face", {
  params,
  headers,
  payload: NewCustomerFace,
  success: JourneyAnswer,
  error: failuresOf(refusals.replaceCustomerFace)
}).annotateMerge(
  OpenApi.annotations({
    summary: "Replace the customer's photo",
    description:
      "For DELIVERY with `saleType` FINANCE_SALE, when the handover video keeps failing to match: `multipart/form-data` with the part `details` (JSON) and the part `customerFace` (the photo). Not while a video is being checked, by the service or by a person, and not after the handover."
  })
)

const sendFinanceDecision = HttpApiEndpoint.post(
  "sendFinanceDecision",
  "/api/v1/journeys/:journeyId/finance-decision",
  {
    params,
    headers,
    payload: FinanceDecisionBody,
    success: JourneyAnswer,
    error: failuresOf(refusals.sendFinanceDecision)
  }
).annotateMerge(
  OpenApi.annotations({
    summary: "Send the lender's decision",
    description:
      "For FINANCE_IDENTITY_DELIVERY with ALREADY_SUBMITTED. APPROVED and DECLINED are final, and DECLINED cancels the journey; REFERRED leaves it pending, so another decision may follow."
  })
)

const simulateEvent = HttpApiEndpoint.post("simulateEvent", "/api/v1/journeys/:journeyId/simulate", {
  params,
  headers,
  payload: SimulateBody,
  success: JourneyAnswer,
  error: failuresOf(refusals.simulateEvent)
}).annotateMerge(
  OpenApi.annotations({
    summary: "Simulate an event",
    description:
      "Test keys only. Moves a test journey forward through the usual steps until the named event has happened, and emits the events of those steps in order: `delivery.completed` completes any running journey."
  })
)

const listScenarios = HttpApiEndpoint.get("listScenarios", "/api/v1/sandbox/scenarios", {
  success: ScenariosAnswer,
  error: failuresOf(refusals.listScenarios)
}).annotateMerge(
  OpenApi.annotations({
    summary: "List sandbox scenarios",
    description: "The tags that make a test journey take another path when they stand in the customer's email address."
  })
)

export const journeys = HttpApiGroup.make("journeys", { topLevel: true })
  .add(startJourney, listJourneys, getJourney, cancelJourney, replaceCustomerFace, sendFinanceDecision)
  .middleware(ApiKeyRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Journeys",
      description: "Start journeys, follow them, and tell them what you decided."
    })
  )

export const sandbox = HttpApiGroup.make("sandbox", { topLevel: true })
  .add(simulateEvent, listScenarios)
  .middleware(ApiKeyRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Sandbox",
      description: "With a test key the same API runs journeys that advance by themselves. These operations steer them."
    })
  )

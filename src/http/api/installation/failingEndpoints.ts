/** Webhook endpoints over all companies that nothing reaches. Settings of one company's endpoint are in `webhookEndpoints.ts`. */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { FailingEndpoints, type FailingEndpoint } from "../../../actors/installation/FailingEndpoints.ts"
import { exampleId } from "../../../schema/exampleId.ts"
import { FailingEndpointResource } from "../../../schema/installation/FailingEndpoint.ts"
import { timestamp, timestampOrNull } from "../../../schema/moment.ts"
import { ofAnyToken } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, cursorPageOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { placedPiece, placeAsked, placeQuery } from "../frame/placeQuery.ts"
import { modeOf } from "../../../schema/Mode.ts"

const example: FailingEndpointResource = {
  id: exampleId("endpoint", 1),
  companyId: exampleId("company", 1),
  companyName: "Harbour Cars",
  mode: "LIVE",
  url: "https://hooks.harbourcars.example",
  failingSince: "2026-01-12T10:31:07.218Z",
  lastFailedAt: "2026-01-15T10:31:07.218Z",
  enabled: false,
  offSince: "2026-01-15T10:31:07.218Z"
}

const listFailingEndpoints = HttpApiEndpoint.get("listFailingEndpoints", "/settings/v1/webhook-endpoints/failing", {
  query: Schema.Struct(placeQuery),
  success: answerOf("FailingEndpointPageAnswer", cursorPageOf("FailingEndpointPage", FailingEndpointResource)),
  error: refusedWith(ofAnyToken, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List failing endpoints",
    description:
      "Webhook endpoints of all companies that nothing has reached since their first failure, the longest failing first: those that are still tried, and those that were turned off for it. One that its owner turned off is not among them.",
    answer: answer("A piece of the list", "Failing endpoints", { content: [example], next: null })
  })
)

const resourceOf = (endpoint: FailingEndpoint): FailingEndpointResource => ({
  id: endpoint.id,
  companyId: endpoint.companyId,
  companyName: endpoint.companyName,
  mode: modeOf(endpoint.livemode),
  url: new URL(endpoint.url).origin,
  failingSince: timestamp(endpoint.failingSince),
  lastFailedAt: timestampOrNull(endpoint.lastFailedAt),
  enabled: endpoint.enabled,
  offSince: timestampOrNull(endpoint.offSince)
})

export const failingEndpointOperations = operatorResource([listFailingEndpoints], {
  listFailingEndpoints: (asked) =>
    Effect.gen(function* () {
      const { after, read, size } = placeAsked(yield* asked.query)
      const endpoints = yield* FailingEndpoints
      return placedPiece(yield* endpoints.list(after, read), size, resourceOf)
    })
})

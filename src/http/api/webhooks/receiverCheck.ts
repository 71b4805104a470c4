/**
 * Checking a receiver: the settings API sends it what a receiver must cope with, and says line by line what it did and what it should
 * have done. Nothing of it stands in the delivery log. A live receiver gets pings only: nothing that could pass for a sale.
 */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { checkReceiver } from "../../../actors/webhook/actor/checkReceiver.ts"
import type { Endpoint } from "../../../actors/webhook/rules/Endpoint.ts"
import { ReceiverCheck } from "../../../schema/webhook/ReceiverCheck.ts"
import { eventExample } from "../../documents/exampleJourneys.ts"
import { ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { toItsEnd, writeDown } from "../frame/asTeam.ts"
import { notFound } from "../frame/ofCompany.ts"
import { endpointAsked, endpointPath, ofEndpoint } from "./ofEndpoint.ts"
import { receiverCheckExample } from "./webhookExamples.ts"

const checkWebhookEndpoint = HttpApiEndpoint.post("checkWebhookEndpoint", `${endpointPath}/check`, {
  params: ofEndpoint,
  success: answerOf("ReceiverCheckAnswer", ReceiverCheck),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Check the receiver",
    allowedTo: "OWNER",
    description:
      "Sends the receiver a true event, a repeat, an old timestamp, a changed byte, two signatures as after a roll of the secret, an unknown type and a slow body, and says what it did with each. The probes are no events of a journey, are not in the delivery log and are never sent again. The test endpoint gets an example of `journey.completed` with invented ids; the live one gets pings only. Works while the endpoint is off.",
    answer: answer("What the receiver did, line by line", "Receiver checked", receiverCheckExample)
  })
)

/** With its line in the audit log; null: the endpoint was removed just now. */
const checked = Effect.fnUntraced(function* (endpoint: Endpoint) {
  const found = yield* endpoint.livemode
    ? checkReceiver(endpoint, "ping", { endpointId: endpoint.id })
    : checkReceiver(endpoint, "journey.completed", eventExample("journey.completed")["data"])
  if (found === null) return null
  const passed = found.lines.filter((line) => line.passed === true).length
  const { companyId, id: endpointId } = endpoint
  yield* writeDown(companyId, "webhook_endpoint.checked", { endpointId, passed, of: found.lines.length })
  return found
})

export const receiverCheckOperations = operatorResource([checkWebhookEndpoint], {
  checkWebhookEndpoint: (asked) =>
    Effect.gen(function* () {
      const endpoint = yield* endpointAsked(asked)
      const found = yield* toItsEnd(checked(endpoint))
      return found ?? (yield* notFound("webhookEndpoint"))
    })
})

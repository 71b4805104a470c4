/**
 * Trying a webhook endpoint out: a ping, or a sample of any event, is sent at once and answered with what came of it
 * (decision W4). Both are allowed while the endpoint is off, and count neither for nor against the endpoint.
 */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { timestamp } from "../../../schema/moment.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { WebhookDeliveryLog, type TestEvent } from "../../../actors/webhook/actor/WebhookDeliveryLog.ts"
import { EndpointMailbox } from "../../../actors/webhook/actor/EndpointMailbox.ts"
import { webhookDeliveryResource } from "../../../actors/webhook/actor/resources.ts"
import { retryDelaysMillis } from "../../../actors/webhook/rules/backoff.ts"
import type { Endpoint } from "../../../actors/webhook/rules/Endpoint.ts"
import { apiVersion } from "../../../schema/apiVersion.ts"
import type { EventType } from "../../../schema/journey/events.ts"
import type { WebhookDeliveryResource } from "../../../schema/webhook/WebhookDelivery.ts"
import { SampleBody } from "../../../schema/webhook/WebhookDelivery.ts"
import { exampleId } from "../../../schema/exampleId.ts"
import { eventExample } from "../../documents/exampleJourneys.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample } from "../../server/endpoints/described.ts"
import { refusedWith } from "../../server/answers/envelope.ts"
import { problem } from "../../server/answers/problems.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { auditLine, written } from "../frame/change.ts"
import { DeliveryAnswer } from "./deliveries.ts"
import { notFound } from "../frame/ofCompany.ts"
import { endpointPath, endpointAsked, ofEndpoint } from "./ofEndpoint.ts"
import { deliveredExample } from "./webhookExamples.ts"
import { EventId } from "../../../schema/ids.ts"

const pingWebhookEndpoint = HttpApiEndpoint.post("pingWebhookEndpoint", `${endpointPath}/ping`, {
  params: ofEndpoint,
  success: DeliveryAnswer,
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Ping",
    allowedTo: "OWNER",
    description:
      "Sends a `ping` now and answers with what came of it. Works while the endpoint is off, and counts neither for nor against it.",
    answer: answer("The ping with its attempt", "Ping sent", deliveredExample)
  })
)

const sendSampleEvent = HttpApiEndpoint.post("sendSampleEvent", `${endpointPath}/sample`, {
  params: ofEndpoint,
  payload: SampleBody,
  success: DeliveryAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody)
}).annotateMerge(
  described({
    summary: "Send a sample",
    allowedTo: "OWNER",
    description:
      "Sends an example of an event now, as a ping is sent. It is of no journey, and its ids are invented. To the test endpoint only; for the live one it answers 404.",
    request: jsonExample("A verified identity", { type: "identity.verified" } satisfies SampleBody),
    answer: answer("The sample with its attempt", "Sample sent", {
      ...deliveredExample,
      id: exampleId("event", 3),
      type: "identity.verified"
    } satisfies WebhookDeliveryResource)
  })
)

/** The bytes are made here, once, as the bytes of any event are. If the event cannot be sent now, it is on the schedule. */
const testEvent = ({ livemode }: Endpoint, id: string, type: EventType, data: unknown, at: number): TestEvent => ({
  id,
  type,
  body: JSON.stringify({ id, type, apiVersion, livemode, createdAt: timestamp(at), data }),
  createdAt: at,
  dueAt: at + (retryDelaysMillis[0] ?? 0)
})

const tryOut = Effect.fnUntraced(function* (
  one: Endpoint,
  action: "webhook_endpoint.pinged" | "webhook_endpoint.sampled",
  type: EventType,
  data: unknown
) {
  const log = yield* WebhookDeliveryLog
  const mailbox = yield* EndpointMailbox
  const id = EventId.make((yield* Ids).next())
  const line = yield* auditLine(action, { endpointId: one.id, type })
  yield* written(log.addTest(one, testEvent(one, id, type, data, line.at), line))
  // An attempt that cannot be made now is made in a minute. The answer says how the delivery stands.
  yield* Effect.ignore(mailbox.attempt(one.id, id))
  // Nothing was kept when the endpoint was removed in this moment.
  return webhookDeliveryResource((yield* log.find(one.id, id)) ?? (yield* notFound("webhookEndpoint")))
})

export const pingAndSample = operatorResource([pingWebhookEndpoint, sendSampleEvent], {
  pingWebhookEndpoint: (asked) =>
    Effect.gen(function* () {
      const found = yield* endpointAsked(asked)
      return yield* tryOut(found, "webhook_endpoint.pinged", "ping", { endpointId: found.id })
    }),

  sendSampleEvent: (asked) =>
    Effect.gen(function* () {
      const found = yield* endpointAsked(asked)
      if (found.livemode) {
        return yield* problem("NOT_FOUND", "sample", "Samples go to the test endpoint: a live one would pass for real")
      }
      const { type } = yield* asked.body
      return yield* tryOut(found, "webhook_endpoint.sampled", type, eventExample(type)["data"])
    })
})

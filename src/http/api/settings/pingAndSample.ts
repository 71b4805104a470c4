/**
 * Trying a webhook endpoint out: a ping, or a sample of any event, sent at once and answered with what came of it
 * (decision W4). Both are allowed while the endpoint is off, and count neither for nor against it.
 */
import { Effect } from "effect"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { retryDelaysMillis } from "../../../actors/webhook/rules/backoff.ts"
import { DeliveryLog, type TestEvent } from "../../../actors/webhook/actor/DeliveryLog.ts"
import type { Endpoint } from "../../../actors/webhook/rules/Endpoint.ts"
import { EndpointMailbox } from "../../../actors/webhook/actor/EndpointMailbox.ts"
import { deliveryResource } from "../../../actors/webhook/actor/resources.ts"
import { apiVersion } from "../../../schema/apiVersion.ts"
import type { EventType } from "../../../schema/journey/events.ts"
import { decodeSample } from "../../../schema/webhook/webhookSettings.ts"
import { eventExample } from "../../documents/exampleJourneys.ts"
import { problem, success } from "../../server/problems.ts"
import { auditLine, written } from "../change.ts"
import { notFound } from "./companyEndpoints.ts"
import { decoded, operatorBodyEndpoint, operatorEndpoint } from "../../server/operator.ts"
import { pathEndpoint } from "./pathEndpoint.ts"
import { timestamp } from "../../../schema/moment.ts"

/** The bytes are made here, once, as those of any event. If it cannot be sent now, it is on the schedule. */
const testEvent = ({ livemode }: Endpoint, id: string, type: EventType, data: unknown, at: number): TestEvent => ({
  id,
  type,
  body: JSON.stringify({ id, type, apiVersion, livemode, createdAt: timestamp(at), data }),
  createdAt: at,
  dueAt: at + (retryDelaysMillis[0] ?? 0)
})

const tryOut = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  action: "webhook_endpoint.pinged" | "webhook_endpoint.sampled",
  type: EventType,
  data: unknown
) {
  const log = yield* DeliveryLog
  const mailbox = yield* EndpointMailbox
  const id = (yield* Ids).next()
  const line = yield* auditLine(action, { endpointId: endpoint.id, type })
  yield* written(log.addTest(endpoint, testEvent(endpoint, id, type, data, line.at), line))
  // An attempt that cannot be made now is made in a minute: what is answered is how the delivery stands.
  yield* Effect.ignore(mailbox.attempt(endpoint.id, id))
  // Nothing was kept when the endpoint was removed in this moment.
  return deliveryResource((yield* log.find(endpoint.id, id)) ?? (yield* notFound("webhookEndpoint")))
})

export const pingEndpoint = operatorEndpoint(
  Effect.fn("POST /settings/v1/companies/{companyId}/webhook-endpoints/{mode}/ping")(function* () {
    const endpoint = yield* pathEndpoint
    const delivery = yield* tryOut(endpoint, "webhook_endpoint.pinged", "ping", { endpointId: endpoint.id })
    return success(200, delivery, "Ping sent")
  })
)

export const sampleEndpoint = operatorBodyEndpoint(
  Effect.fn("POST /settings/v1/companies/{companyId}/webhook-endpoints/{mode}/sample")(function* (request) {
    const endpoint = yield* pathEndpoint
    if (endpoint.livemode) {
      return yield* problem("NOT_FOUND", "sample", "Samples go to the test endpoint: a live one would pass for real")
    }
    const { type } = yield* decoded(request, decodeSample)
    const delivery = yield* tryOut(endpoint, "webhook_endpoint.sampled", type, eventExample(type)["data"])
    return success(200, delivery, "Sample sent")
  })
)

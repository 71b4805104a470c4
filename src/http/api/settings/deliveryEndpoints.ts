/**
 * The delivery log of a webhook endpoint, and sending again from it: one delivery, or every missed event since a time
 * (decisions W6, W7 and W9). The log of an endpoint that was removed stays readable.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { DeliveryLog, type LogQuery } from "../../../actors/webhook/actor/DeliveryLog.ts"
import type { Endpoint } from "../../../actors/webhook/rules/Endpoint.ts"
import { EndpointMailbox } from "../../../actors/webhook/actor/EndpointMailbox.ts"
import { deliveryResource, resendTaskResource } from "../../../actors/webhook/actor/resources.ts"
import { LogStatus } from "../../../schema/webhook/WebhookDelivery.ts"
import { decodeResend, resendableSince } from "../../../schema/webhook/webhookSettings.ts"
import { cursorData, eventTypeOf, idOf, oneOf, readCursorQuery } from "../../server/cursorQuery.ts"
import { pageData, readPageQuery } from "../../server/pageQuery.ts"
import { problem, success, type Problem } from "../../server/problems.ts"
import { auditLine, written } from "../change.ts"
import { notFound, pathId } from "./companyEndpoints.ts"
import { decoded, operatorBodyEndpoint, operatorEndpoint } from "../../server/operator.ts"
import { pathLog } from "./pathEndpoint.ts"

const logQuery = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Omit<LogQuery, "endpointId">, Problem> =>
  readCursorQuery(request, ["status", "type", "journeyId", "cursor"], (given, wrong) => ({
    status: oneOf(given, wrong, "status", LogStatus.literals),
    type: eventTypeOf(given, wrong),
    journeyId: idOf(given, wrong, "journeyId"),
    before: idOf(given, wrong, "cursor")
  }))

const refuseWhileOff = ({ enabled, removedAt }: Endpoint): Effect.Effect<void, Problem> =>
  enabled && removedAt === null
    ? Effect.void
    : Effect.fail(
        problem("CONFLICT", "webhookEndpoint", "The endpoint is off or removed; save it first to turn it on again")
      )

export const listDeliveriesEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/webhook-endpoints/{mode}/deliveries")(function* (request) {
    const { id } = yield* pathLog
    const query = yield* logQuery(request)
    const log = yield* DeliveryLog
    const { content, next } = yield* log.list({ endpointId: id, ...query })
    return success(200, cursorData(content, next, deliveryResource), "Deliveries")
  })
)

export const getDeliveryEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/webhook-endpoints/{mode}/deliveries/{deliveryId}")(function* () {
    const { id } = yield* pathLog
    const deliveryId = yield* pathId("deliveryId")
    const log = yield* DeliveryLog
    const delivery = (yield* log.find(id, deliveryId)) ?? (yield* notFound("delivery"))
    return success(200, deliveryResource(delivery), "Delivery")
  })
)

export const resendDeliveryEndpoint = operatorEndpoint(
  Effect.fn("POST /settings/v1/companies/{companyId}/webhook-endpoints/{mode}/deliveries/{deliveryId}/resend")(
    function* () {
      const endpoint = yield* pathLog
      const deliveryId = yield* pathId("deliveryId")
      yield* refuseWhileOff(endpoint)
      const log = yield* DeliveryLog
      const mailbox = yield* EndpointMailbox
      const line = yield* auditLine("delivery.resent", { endpointId: endpoint.id, deliveryId })
      const resent = yield* written(log.resend(endpoint, deliveryId, resendableSince(line.at), line))
      if (resent === null) return yield* notFound("delivery")
      yield* mailbox.wake(endpoint.id, false)
      return success(200, deliveryResource(resent), "The event is sent again")
    }
  )
)

export const startResendEndpoint = operatorBodyEndpoint(
  Effect.fn("POST /settings/v1/companies/{companyId}/webhook-endpoints/{mode}/resend")(function* (request) {
    const endpoint = yield* pathLog
    const wish = yield* decoded(request, decodeResend)
    yield* refuseWhileOff(endpoint)
    const log = yield* DeliveryLog
    const mailbox = yield* EndpointMailbox
    const id = (yield* Ids).next()
    const line = yield* auditLine("resend.started", { endpointId: endpoint.id, resendId: id, ...wish })
    const task = yield* written(log.startResend(endpoint, { id, ...wish, createdAt: line.at }, line))
    if (task === null) return yield* problem("CONFLICT", "resend", "Another resend of this endpoint still runs")
    yield* mailbox.wake(endpoint.id, true)
    return success(202, resendTaskResource(task), "Events are sent again")
  })
)

export const listResendsEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/webhook-endpoints/{mode}/resends")(function* (request) {
    const { id } = yield* pathLog
    const query = yield* readPageQuery(request)
    const log = yield* DeliveryLog
    return success(200, pageData(query, yield* log.tasks(id, query), resendTaskResource), "Resends")
  })
)

export const getResendEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/webhook-endpoints/{mode}/resends/{taskId}")(function* () {
    const { id } = yield* pathLog
    const taskId = yield* pathId("taskId")
    const log = yield* DeliveryLog
    const task = (yield* log.task(id, taskId)) ?? (yield* notFound("resend"))
    return success(200, resendTaskResource(task), "Resend")
  })
)

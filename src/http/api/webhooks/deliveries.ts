/**
 * The delivery log of a webhook endpoint, and sending again from it: one delivery, or every missed event since a time
 * (decisions W6, W7 and W9). The log of an endpoint that was removed stays readable.
 */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { WebhookDeliveryLog } from "../../../actors/webhook/actor/WebhookDeliveryLog.ts"
import { EndpointMailbox } from "../../../actors/webhook/actor/EndpointMailbox.ts"
import {
  resendTaskResource,
  webhookDeliveryResource,
  wholeDeliveryResource
} from "../../../actors/webhook/actor/resources.ts"
import type { Endpoint } from "../../../actors/webhook/rules/Endpoint.ts"
import {
  EventIdParameter,
  Id,
  JourneyIdParameter,
  IdCursor,
  naming,
  PageQuery
} from "../../../schema/decoding/parameters.ts"
import { EventTypeParameter } from "../../../schema/webhook/EventSelection.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { WebhookDeliveryResource, WebhookDeliveryWithBody } from "../../../schema/webhook/WebhookDelivery.ts"
import { WebhookDeliveryStatus } from "../../../schema/WebhookDeliveryStatus.ts"
import { ResendTaskResource } from "../../../schema/webhook/Resend.ts"
import { ResendBody, resendableSince, wishOf } from "../../../schema/webhook/Resend.ts"
import { eventExample } from "../../documents/exampleJourneys.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample, pageAnswer } from "../../server/endpoints/described.ts"
import { answerOf, cursorPageOf, refusedWith } from "../../server/answers/envelope.ts"
import { problem, type Problem } from "../../server/answers/problems.ts"
import { pageAsked, pageOf } from "../../server/endpoints/query.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { auditLine, written } from "../frame/change.ts"
import { notFound, pages } from "../frame/ofCompany.ts"
import { endpointPath, logAsked, ofEndpoint } from "./ofEndpoint.ts"
import { deliveredExample, doneExample, failedExample, runningExample } from "./webhookExamples.ts"

const deliveriesPath = `${endpointPath}/deliveries` as const
const deliveryPath = `${deliveriesPath}/:deliveryId` as const
const resendsPath = `${endpointPath}/resends` as const

const ofDelivery = {
  ...ofEndpoint,
  deliveryId: EventIdParameter.annotate({ description: "The event's id", ...naming("delivery") })
}
const ofResend = { ...ofEndpoint, taskId: Id.annotate({ description: "The resend's id", ...naming("resend") }) }

export const DeliveryAnswer = answerOf("DeliveryAnswer", WebhookDeliveryResource)
const WholeDeliveryAnswer = answerOf("DeliveryWithBodyAnswer", WebhookDeliveryWithBody)
const ResendAnswer = answerOf("ResendTaskAnswer", ResendTaskResource)

const Query = Schema.Struct({
  status: Schema.optionalKey(WebhookDeliveryStatus.annotate({ description: "Only deliveries that stand so" })),
  type: Schema.optionalKey(EventTypeParameter),
  journeyId: Schema.optionalKey(JourneyIdParameter.annotate({ description: "Only events of this journey" })),
  cursor: Schema.optionalKey(
    IdCursor.annotate({ description: "Where to go on: `next` of the answer before, from the same filters" })
  ),
  size: PageQuery.fields.size
})

const listDeliveries = HttpApiEndpoint.get("listDeliveries", deliveriesPath, {
  params: ofEndpoint,
  query: Query,
  success: answerOf("DeliveryPageAnswer", cursorPageOf("DeliveryPage", WebhookDeliveryResource)),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List deliveries",
    allowedTo: "TEAM",
    description:
      "The delivery log, newest event first, each with its latest attempts. Go on with `next` as `cursor` until it is null: with a filter, a page can hold few entries, or none, and not be the last.",
    answer: answer("A piece of the log", "Deliveries", {
      content: [failedExample, deliveredExample],
      next: deliveredExample.id
    })
  })
)

const getDelivery = HttpApiEndpoint.get("getDelivery", deliveryPath, {
  params: ofDelivery,
  success: WholeDeliveryAnswer,
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Get a delivery",
    allowedTo: "TEAM",
    description: "One event on its way to the endpoint, with the body that is sent; it bears the event's id.",
    answer: answer("The delivery", "Delivery", {
      ...failedExample,
      body: JSON.stringify(eventExample("identity.verified"))
    } satisfies WebhookDeliveryWithBody)
  })
)

const resendDelivery = HttpApiEndpoint.post("resendDelivery", `${deliveryPath}/resend`, {
  params: ofDelivery,
  success: DeliveryAnswer,
  error: refusedWith(ofAnyCompany, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Resend an event",
    allowedTo: "OWNER",
    description: `Sends the event again now, with the same id and a schedule of its own, whatever became of it before; also one that was made while there was no endpoint. Events can be resent for ${webhookLimits.resendableDays} days. Not while the endpoint is off.`,
    answer: answer("The delivery, due now", "The event is sent again", failedExample)
  })
)

const startResend = HttpApiEndpoint.post("startResend", `${endpointPath}/resend`, {
  params: ofEndpoint,
  payload: ResendBody,
  success: ResendAnswer.pipe(HttpApiSchema.status(202)),
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Resend missed events",
    allowedTo: "OWNER",
    description:
      "Sends again every event since a time that was given up, parked or never sent, oldest first and beside new ones. The answer is a task to watch; one runs at a time. Not while the endpoint is off.",
    request: jsonExample("What was missed since a Monday", { since: "2026-01-12T10:00:00Z" } satisfies ResendBody),
    answer: answer("The resend at its beginning", "Events are sent again", runningExample)
  })
)

const listResends = HttpApiEndpoint.get("listResends", resendsPath, {
  params: ofEndpoint,
  query: PageQuery,
  success: pages("ResendTaskPage", ResendTaskResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List resends",
    allowedTo: "TEAM",
    description: "The resends of the endpoint, newest first, with how their events stand.",
    answer: pageAnswer("Resends", doneExample)
  })
)

const getResend = HttpApiEndpoint.get("getResend", `${resendsPath}/:taskId`, {
  params: ofResend,
  success: ResendAnswer,
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Get a resend",
    allowedTo: "TEAM",
    description: "How far it is, and how the events it sent stand.",
    answer: answer("The resend", "Resend", doneExample)
  })
)

const refuseWhileOff = ({ enabled, removedAt }: Endpoint): Effect.Effect<void, Problem> =>
  enabled && removedAt === null
    ? Effect.void
    : Effect.fail(
        problem("CONFLICT", "webhookEndpoint", "The endpoint is off or removed; save it first to turn it on again")
      )

export const deliveryOperations = operatorResource(
  [listDeliveries, getDelivery, resendDelivery, startResend, listResends, getResend],
  {
    listDeliveries: (asked) =>
      Effect.gen(function* () {
        const { id } = yield* logAsked(asked)
        const query = yield* asked.query
        const log = yield* WebhookDeliveryLog
        const { content, next } = yield* log.list({
          endpointId: id,
          status: query.status ?? null,
          type: query.type ?? null,
          journeyId: query.journeyId ?? null,
          before: query.cursor ?? null,
          size: pageAsked(query).size
        })
        return { content: content.map(webhookDeliveryResource), next }
      }),

    getDelivery: (asked) =>
      Effect.gen(function* () {
        const { id } = yield* logAsked(asked)
        const deliveryId = yield* asked.path("deliveryId")
        const log = yield* WebhookDeliveryLog
        return wholeDeliveryResource((yield* log.find(id, deliveryId)) ?? (yield* notFound("delivery")))
      }),

    resendDelivery: (asked) =>
      Effect.gen(function* () {
        const found = yield* logAsked(asked)
        const deliveryId = yield* asked.path("deliveryId")
        const log = yield* WebhookDeliveryLog
        yield* Effect.catchTag(refuseWhileOff(found), "Problem", (off) =>
          Effect.flatMap(log.find(found.id, deliveryId), (there) =>
            Effect.fail(there === null ? notFound("delivery") : off)
          )
        )
        const mailbox = yield* EndpointMailbox
        const line = yield* auditLine("delivery.resent", { endpointId: found.id, deliveryId })
        const resent = yield* written(log.resend(found, deliveryId, resendableSince(line.at), line))
        if (resent === null) return yield* notFound("delivery")
        yield* mailbox.wake(found.id, false)
        return webhookDeliveryResource(resent)
      }),

    startResend: (asked) =>
      Effect.gen(function* () {
        const found = yield* logAsked(asked)
        const wish = wishOf(yield* asked.body)
        yield* refuseWhileOff(found)
        const log = yield* WebhookDeliveryLog
        const mailbox = yield* EndpointMailbox
        const id = (yield* Ids).next()
        const line = yield* auditLine("resend.started", { endpointId: found.id, resendId: id, ...wish })
        const task = yield* written(log.startResend(found, { id, ...wish, createdAt: line.at }, line))
        if (task === null) return yield* problem("CONFLICT", "resend", "Another resend of this endpoint still runs")
        yield* mailbox.wake(found.id, true)
        return resendTaskResource(task)
      }),

    listResends: (asked) =>
      Effect.gen(function* () {
        const { id } = yield* logAsked(asked)
        const page = pageAsked(yield* asked.query)
        const log = yield* WebhookDeliveryLog
        return pageOf(page, yield* log.tasks(id, page), resendTaskResource)
      }),

    getResend: (asked) =>
      Effect.gen(function* () {
        const { id } = yield* logAsked(asked)
        const taskId = yield* asked.path("taskId")
        const log = yield* WebhookDeliveryLog
        return resendTaskResource((yield* log.task(id, taskId)) ?? (yield* notFound("resend")))
      })
  }
)

/** Example requests and answers of the webhook settings. Everything in them is invented; no secret here signs anything. */
import { Duration } from "effect"
import { webhookLimits } from "../../schema/webhook/limits.ts"
import type { DeliveryResource, ResendTaskResource } from "../../schema/webhook/WebhookDelivery.ts"
import type { WebhookEndpointResource } from "../../schema/webhook/Endpoint.ts"
import type {
  ResendBody,
  SampleBody,
  SecretRollBody,
  WebhookEndpointBody
} from "../../schema/webhook/webhookSettings.ts"
import { answered, pageOf, type Answer, type Answers, type Requests } from "../server/exampleAnswer.ts"
import { inWords } from "./durations.ts"
import { exampleId } from "../../schema/exampleId.ts"

const since = "2026-01-12T10:00:00.000Z"
const at = "2026-01-15T10:31:07.218Z"
const nextAt = "2026-01-15T10:32:07.391Z"
const secret = "whsec_<44 characters>"

const endpoint: WebhookEndpointResource = {
  id: exampleId("endpoint", 1),
  mode: "LIVE",
  url: "https://hooks.harbourcars.example/journeys",
  events: ["*"],
  enabled: true,
  offReason: null,
  offSince: null,
  failingSince: null,
  previousSecretUntil: null,
  createdAt: since
}

const delivered: DeliveryResource = {
  id: exampleId("event", 1),
  type: "ping",
  journeyId: null,
  createdAt: at,
  status: "DELIVERED",
  nextAttemptAt: null,
  attempts: [{ number: 1, at, durationMillis: 83, trigger: "TEST", httpStatus: 204, error: null, answer: "" }]
}

const failed: DeliveryResource = {
  id: exampleId("event", 2),
  type: "identity.verified",
  journeyId: exampleId("journey", 1),
  createdAt: at,
  status: "PENDING",
  nextAttemptAt: nextAt,
  attempts: [
    {
      number: 1,
      at,
      durationMillis: 173,
      trigger: "SCHEDULE",
      httpStatus: null,
      error: "CONNECTION_REFUSED",
      answer: null
    }
  ]
}

const sampled: DeliveryResource = { ...delivered, id: exampleId("event", 3), type: "identity.verified" }

const resent: DeliveryResource = { ...failed, nextAttemptAt: nextAt }

const resend: ResendTaskResource = {
  id: exampleId("resend", 1),
  state: "RUNNING",
  since,
  types: null,
  journeyId: null,
  delivered: false,
  queued: 0,
  counts: { PENDING: 0, DELIVERED: 0, GIVEN_UP: 0, PARKED: 0 },
  createdAt: at,
  finishedAt: null
}

const done: ResendTaskResource = {
  ...resend,
  state: "DONE",
  queued: 41,
  counts: { PENDING: 1, DELIVERED: 40, GIVEN_UP: 0, PARKED: 0 },
  finishedAt: nextAt
}

const one = (description: string, message: string, data: unknown): Answer => ({
  description,
  examples: { Example: answered(description, message, data) }
})

export const webhookAnswers: Answers = {
  saveWebhookEndpoint: {
    200: {
      description: "The endpoint as it is now, with its secret if that is new",
      examples: {
        New: answered("A new URL", "Webhook endpoint saved; its secret is shown only now", { ...endpoint, secret }),
        Known: answered("The URL it had", "Webhook endpoint saved", endpoint)
      }
    }
  },
  getWebhookEndpoint: {
    200: {
      description: "The endpoint",
      examples: {
        Well: answered("An endpoint that answers", "Webhook endpoint", endpoint),
        Off: answered(
          `Turned off after ${inWords(Duration.toMillis(webhookLimits.turnedOffAfter))}`,
          "Webhook endpoint",
          {
            ...endpoint,
            enabled: false,
            offReason: "UNREACHABLE",
            offSince: at,
            failingSince: since
          } satisfies WebhookEndpointResource
        )
      }
    }
  },
  removeWebhookEndpoint: {
    200: one("The endpoint as it was left", "Webhook endpoint removed; its delivery log stays", {
      ...endpoint,
      enabled: false,
      offReason: "BY_HAND",
      offSince: at
    } satisfies WebhookEndpointResource)
  },
  rollWebhookSecret: {
    200: one("The endpoint with its new secret", "Secret rolled; the new one is shown only now", {
      ...endpoint,
      previousSecretUntil: "2026-01-16T10:31:07.218Z",
      secret
    })
  },
  pingWebhookEndpoint: { 200: one("The ping with its attempt", "Ping sent", delivered) },
  sendSampleEvent: { 200: one("The sample with its attempt", "Sample sent", sampled) },
  listDeliveries: {
    200: one("A piece of the log", "Deliveries", { content: [failed, delivered], next: delivered.id })
  },
  getDelivery: { 200: one("The delivery", "Delivery", failed) },
  resendDelivery: { 200: one("The delivery, due now", "The event is sent again", resent) },
  startResend: { 202: one("The resend at its beginning", "Events are sent again", resend) },
  listResends: { 200: one("One page of the list", "Resends", pageOf([done])) },
  getResend: { 200: one("The resend", "Resend", done) }
}

const json = (summary: string, value: unknown) => ({ "application/json": { Example: { summary, value } } })

export const webhookRequests: Requests = {
  saveWebhookEndpoint: json("Everything about identity checks, and the end of a journey", {
    url: "https://hooks.harbourcars.example/journeys",
    events: ["identity.*", "journey.completed"]
  } satisfies WebhookEndpointBody),
  rollWebhookSecret: json("A day to change over", { overlapHours: 24 } satisfies SecretRollBody),
  sendSampleEvent: json("A verified identity", { type: "identity.verified" } satisfies SampleBody),
  startResend: json("What was missed since a Monday", { since: "2026-01-12T10:00:00Z" } satisfies ResendBody)
}

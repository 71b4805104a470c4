/** The examples of the webhook settings. Everything in them is invented; no secret here signs anything. */
import { exampleId } from "../../../schema/exampleId.ts"
import type { SavedWebhookEndpointResource, WebhookEndpointResource } from "../../../schema/webhook/Endpoint.ts"
import type { EndpointStatisticsResource } from "../../../schema/webhook/EndpointStatistics.ts"
import type { WebhookDeliveryResource } from "../../../schema/webhook/WebhookDelivery.ts"
import type { ReceiverCheck } from "../../../schema/webhook/ReceiverCheck.ts"
import type { ResendTaskResource } from "../../../schema/webhook/Resend.ts"
import type { SecretRollBody } from "../../../schema/webhook/Endpoint.ts"

const since = "2026-01-12T10:00:00.000Z"
const at = "2026-01-15T10:31:07.218Z"
const nextAt = "2026-01-15T10:32:07.391Z"

const requestHeaders = (event: string, type: string, more: Readonly<Record<string, string>>) => ({
  "Content-Type": "application/json",
  "User-Agent": "Journeys-Webhooks/1.0",
  "Service-Event-Id": event,
  "Service-Event-Type": type,
  "Service-Timestamp": "1768473067",
  "Service-Signature": "t=1768473067,v1=<64 hexadecimal digits>",
  ...more
})

export const deliveredExample: WebhookDeliveryResource = {
  id: exampleId("event", 1),
  type: "ping",
  journeyId: null,
  createdAt: at,
  status: "DELIVERED",
  nextAttemptAt: null,
  attempts: [
    {
      number: 1,
      at,
      durationMillis: 83,
      trigger: "TEST",
      requestHeaders: requestHeaders(exampleId("event", 1), "ping", {}),
      httpStatus: 204,
      error: null,
      answer: ""
    }
  ]
}

export const failedExample: WebhookDeliveryResource = {
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
      requestHeaders: requestHeaders(exampleId("event", 2), "identity.verified", { "Service-Event-Sequence": "3" }),
      httpStatus: null,
      error: "CONNECTION_REFUSED",
      answer: null
    }
  ]
}

export const runningExample: ResendTaskResource = {
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

export const doneExample: ResendTaskResource = {
  ...runningExample,
  state: "DONE",
  queued: 41,
  counts: { PENDING: 1, DELIVERED: 40, GIVEN_UP: 0, PARKED: 0 },
  finishedAt: nextAt
}

const secret = "whsec_<44 characters>"

export const endpointExample: WebhookEndpointResource = {
  id: exampleId("endpoint", 1),
  mode: "LIVE",
  url: "https://hooks.harbourcars.example/journeys",
  events: ["*"],
  enabled: true,
  offReason: null,
  offSince: null,
  failingSince: null,
  previousSecretUntil: null,
  previousSecretsUntil: [],
  createdAt: since
}

export const savedExample: SavedWebhookEndpointResource = { ...endpointExample, secret }

/** Turned off because nothing reached it. */
export const offExample: WebhookEndpointResource = {
  ...endpointExample,
  enabled: false,
  offReason: "UNREACHABLE",
  offSince: at,
  failingSince: since
}

export const removedExample: WebhookEndpointResource = {
  ...endpointExample,
  enabled: false,
  offReason: "BY_HAND",
  offSince: at
}

export const rolledExample: SavedWebhookEndpointResource = {
  ...savedExample,
  previousSecretUntil: "2026-01-16T10:31:07.218Z",
  previousSecretsUntil: ["2026-01-16T10:31:07.218Z"]
}

export const rollExample: SecretRollBody = { overlapHours: 24 }

export const statisticsExample: EndpointStatisticsResource = {
  since: "2026-01-15T09:00:00.000Z",
  delivered: 41,
  failed: 1,
  p50Millis: 91,
  p95Millis: 181,
  successRate: 41 / 42,
  pending: 1,
  oldestPendingAt: "2026-01-15T10:31:07.218Z",
  perHour: [
    { hour: "2026-01-15T09:00:00.000Z", delivered: 0, failed: 0, p50Millis: null, p95Millis: null },
    { hour: "2026-01-15T10:00:00.000Z", delivered: 41, failed: 1, p50Millis: 91, p95Millis: 181 }
  ]
}

export const receiverCheckExample: ReceiverCheck = {
  url: "https://hooks.harbour.example/journeys",
  passed: false,
  lines: [
    {
      probe: "TRUE_EVENT",
      passed: true,
      sent: "an event, rightly signed",
      should: "answer 2xx within ten seconds",
      did: "answered 204",
      httpStatus: 204,
      error: null,
      durationMillis: 83
    },
    {
      probe: "CHANGED_BYTE",
      passed: false,
      sent: "the event with one byte changed after it was signed",
      should: "refuse with 4xx: the signature is over the exact bytes of the body",
      did: "answered 204: it took what it must not believe",
      httpStatus: 204,
      error: null,
      durationMillis: 79
    }
  ]
}

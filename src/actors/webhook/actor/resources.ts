/** Endpoints, deliveries and resends as the settings API shows them. No secret is in them. */
import type {
  WebhookAttemptResource,
  WebhookDeliveryResource,
  WebhookDeliveryWithBody
} from "../../../schema/webhook/WebhookDelivery.ts"
import type { ResendTaskResource } from "../../../schema/webhook/Resend.ts"
import type { WebhookEndpointResource } from "../../../schema/webhook/Endpoint.ts"
import type {
  LoggedWebhookAttempt,
  LoggedWebhookDelivery,
  ResendTask,
  WholeWebhookDelivery
} from "./WebhookDeliveryLog.ts"
import { stillSigning, type Endpoint } from "../rules/Endpoint.ts"
import { fixedWebhookHeaders, webhookHeaders } from "../rules/webhookHeaders.ts"
import { timestamp, timestampOrNull } from "../../../schema/moment.ts"
import { modeOf } from "../../../schema/Mode.ts"

const endOf = (endpoint: Endpoint, now: number): string | null => {
  const until = endpoint.previousSecrets[0]?.until ?? now
  return until <= now ? null : timestamp(until)
}

/** A previous secret that no longer signs at `now` is left out. */
export const endpointResource = (endpoint: Endpoint, now: number): WebhookEndpointResource => ({
  id: endpoint.id,
  mode: modeOf(endpoint.livemode),
  url: endpoint.url,
  events: endpoint.events,
  enabled: endpoint.enabled,
  offReason: endpoint.offReason,
  offSince: timestampOrNull(endpoint.offSince),
  failingSince: timestampOrNull(endpoint.health.failingSince),
  previousSecretUntil: endOf(endpoint, now),
  previousSecretsUntil: stillSigning(endpoint.previousSecrets, now).map(({ until }) => timestamp(until)),
  createdAt: timestamp(endpoint.createdAt)
})

const attemptResource =
  (delivery: LoggedWebhookDelivery) =>
  ({ at, signature, ...attempt }: LoggedWebhookAttempt): WebhookAttemptResource => ({
    ...attempt,
    at: timestamp(at),
    requestHeaders: { ...fixedWebhookHeaders, ...webhookHeaders(delivery, at, signature) }
  })

export const webhookDeliveryResource = (delivery: LoggedWebhookDelivery): WebhookDeliveryResource => ({
  id: delivery.eventId,
  type: delivery.type,
  journeyId: delivery.journeyId,
  createdAt: timestamp(delivery.createdAt),
  status: delivery.status,
  nextAttemptAt: timestampOrNull(delivery.dueAt),
  attempts: delivery.attempts.map(attemptResource(delivery))
})

export const wholeDeliveryResource = (delivery: WholeWebhookDelivery): WebhookDeliveryWithBody => ({
  ...webhookDeliveryResource(delivery),
  body: delivery.body
})

export const resendTaskResource = (task: ResendTask): ResendTaskResource => ({
  id: task.id,
  state: task.finishedAt === null ? "RUNNING" : "DONE",
  since: timestamp(task.since),
  types: task.types,
  journeyId: task.journeyId,
  delivered: task.delivered,
  queued: task.queued,
  counts: task.counts,
  createdAt: timestamp(task.createdAt),
  finishedAt: timestampOrNull(task.finishedAt)
})

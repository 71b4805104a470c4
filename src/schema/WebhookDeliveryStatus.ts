/**
 * How a webhook delivery stands, as it is stored and shown. What leads from one status to another is drawn in
 * `actors/webhook/rules/DueWebhookDelivery.ts`.
 */
import { Schema } from "effect"

/** PARKED: the endpoint was off, or went off while the delivery was pending. Its owner may have it resent. */
export const WebhookDeliveryStatus = Schema.Literals(["PENDING", "DELIVERED", "GIVEN_UP", "PARKED"])
export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus.Type

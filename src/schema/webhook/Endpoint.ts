/**
 * Webhook endpoints as the settings API shows them: one for each company and mode. A secret is in the answer that makes it
 * and nowhere else. The rules for a URL are in `webhookUrl.ts`, and the endpoint's health is in `actors/webhook/rules`.
 */
import { Schema } from "effect"
import { webhookLimits } from "./limits.ts"
import { Mode } from "../Mode.ts"

/** Why an endpoint is off: its owner turned it off, or nothing reached it for three days (§6.3.6). */
export const OffReason = Schema.Literals(["BY_HAND", "UNREACHABLE"])
export type OffReason = typeof OffReason.Type

/** Hours for which the previous secret goes on signing beside the new one. */
export const OverlapHours = Schema.Literals(webhookLimits.overlapHours)
export type OverlapHours = typeof OverlapHours.Type

export const WebhookEndpointResource = Schema.Struct({
  id: Schema.String,
  mode: Mode,
  url: Schema.String,
  events: Schema.Array(Schema.String),
  enabled: Schema.Boolean,
  offReason: Schema.NullOr(OffReason),
  /** When the endpoint was turned off. */
  offSince: Schema.NullOr(Schema.String),
  /** The first failure since anything reached the endpoint; null while the endpoint answers. */
  failingSince: Schema.NullOr(Schema.String),
  /** Until when the secret before the last roll signs, too. */
  previousSecretUntil: Schema.NullOr(Schema.String),
  createdAt: Schema.String
}).annotate({ identifier: "WebhookEndpoint" })
export type WebhookEndpointResource = typeof WebhookEndpointResource.Type

/** The answer to a change. It has `secret` only when the secret is new. */
export const SavedWebhookEndpointResource = Schema.Struct({
  ...WebhookEndpointResource.fields,
  secret: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "SavedWebhookEndpoint" })
export type SavedWebhookEndpointResource = typeof SavedWebhookEndpointResource.Type

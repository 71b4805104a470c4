/**
 * A webhook endpoint in JSON: as the settings API shows it, and the bodies that save it and roll its secret. A company has
 * one endpoint for each mode. A secret is in the answer that makes it and nowhere else. The rules for a URL are in
 * `webhookUrl.ts`; the endpoint as the program holds it is in `actors/webhook/rules/Endpoint.ts`.
 */
import { Schema } from "effect"
import { beyondForm, invalid, type BrokenRules, type RequestFacts } from "../decoding/bodyDecoder.ts"
import { Mode } from "../Mode.ts"
import { memberOf } from "../decoding/record.ts"
import { formattedText } from "../decoding/text.ts"
import { brokenSelection, EventSelector, eventSelectors } from "./EventSelection.ts"
import { webhookLimits } from "./limits.ts"
import { brokenInForm, judgeWebhookUrl } from "./webhookUrl.ts"

/** Why an endpoint is off: its owner turned it off, or nothing reached it for three days (§6.3.6). */
export const OffReason = Schema.Literals(["BY_HAND", "UNREACHABLE"])
export type OffReason = typeof OffReason.Type

/** Hours for which the secret of before goes on signing beside the new one. */
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
  previousSecretsUntil: Schema.Array(Schema.String).annotate({
    description: "Until when each of the secrets of before signs, too: that of the newest secret first"
  }),
  createdAt: Schema.String
}).annotate({ identifier: "WebhookEndpoint" })
export type WebhookEndpointResource = typeof WebhookEndpointResource.Type

/** The answer to a change. It has `secret` only when the secret is new. */
export const SavedWebhookEndpointResource = Schema.Struct({
  ...WebhookEndpointResource.fields,
  secret: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "SavedWebhookEndpoint" })
export type SavedWebhookEndpointResource = typeof SavedWebhookEndpointResource.Type

const WebhookUrl = formattedText(
  webhookLimits.longestUrl,
  // The rules that hold in development, too. `brokenEndpointRules` adds those that depend on the settings of the service.
  brokenInForm,
  { format: "uri" }
).annotate({
  description: "https on port 443 or 8443, reachable from the public internet; no user, password or fragment"
})

/** Who meets one of the rules beyond the form is mostly a developer whose receiver runs on their own machine. */
const cure =
  "for a receiver on your own machine run `listen` of the client package, or start a service in development with WEBHOOK_ALLOW_INSECURE=true"

const endpointRule = (url: string, facts: RequestFacts): string | undefined => {
  const judgement = judgeWebhookUrl(url, facts)
  if ("url" in judgement) return undefined
  return "url" in judgeWebhookUrl(url, { allowInsecure: true }) ? `${judgement.rule}; ${cure}` : judgement.rule
}

const brokenEndpointRules: BrokenRules = (body, facts) => {
  const url = memberOf(body, "url")
  const rule = typeof url === "string" ? endpointRule(url, facts) : undefined
  return [...(rule === undefined ? [] : [invalid("url", rule)]), ...brokenSelection(body, "events", eventSelectors)]
}

export const WebhookEndpointBody = Schema.Struct({
  url: WebhookUrl,
  events: Schema.optionalKey(
    Schema.Array(EventSelector).annotate({
      description: "What is sent, each named once; left out, it stays as it was, and at a new endpoint is everything"
    })
  ),
  enabled: Schema.optionalKey(
    Schema.Boolean.annotate({ default: true, description: "false turns it off; its events are then kept, not sent" })
  )
}).annotate({ identifier: "WebhookEndpointSettings", [beyondForm]: brokenEndpointRules })
export type WebhookEndpointBody = typeof WebhookEndpointBody.Type

export const SecretRollBody = Schema.Struct({
  overlapHours: OverlapHours.annotate({
    description: `Hours for which deliveries are signed with the secret before this one as well. Earlier secrets sign until their own ends, ${webhookLimits.mostPreviousSecrets} at most beside the new one; 0 ends all of them at once`
  })
}).annotate({ identifier: "SecretRoll" })
export type SecretRollBody = typeof SecretRollBody.Type

/** The URL in the form in which it is kept. */
export const keptUrl = (url: string, facts: Pick<RequestFacts, "allowInsecure">): string => {
  const judgement = judgeWebhookUrl(url, facts)
  return "url" in judgement ? judgement.url : url
}

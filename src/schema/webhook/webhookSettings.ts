/**
 * The request bodies by which a company's webhook endpoints are set, rolled and tried out, and events sent again. Read as
 * `settingsBodies.ts` reads any; where a URL's host leads is judged elsewhere, for that takes looking up.
 */
import { Duration, Result, Schema } from "effect"
import { eventTypes, type EventType } from "../journey/events.ts"
import { EventSelector, eventSelectors } from "./EventSelection.ts"
import { uuid } from "../parameters.ts"
import { bodyDecoder, invalid, type BrokenRules, type RequestFacts } from "../decoding.ts"
import { mostHistoryEntries } from "../start/application.ts"
import { isTimestamp, millisOf, Timestamp } from "../start/dates.ts"
import { memberOf } from "../start/record.ts"
import { formattedText } from "../start/text.ts"
import { OverlapHours } from "./Endpoint.ts"
import { webhookLimits } from "./limits.ts"
import { judgeWebhookUrl } from "./webhookUrl.ts"

const { longestUrl, resendableDays } = webhookLimits

/** What must hold in development, too; the rest is asked of the facts. */
const inAnyCase = { allowInsecure: true }

const WebhookUrl = formattedText(
  longestUrl,
  (value) => {
    const judgement = judgeWebhookUrl(value, inAnyCase)
    return "rule" in judgement ? judgement.rule : undefined
  },
  { format: "uri" }
).annotate({
  description: "https on port 443 or 8443, reachable from the public internet; no user, password or fragment"
})

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
}).annotate({ identifier: "WebhookEndpointSettings" })
export type WebhookEndpointBody = typeof WebhookEndpointBody.Type

export const SecretRollBody = Schema.Struct({
  overlapHours: OverlapHours.annotate({
    description: "Hours for which deliveries are signed with the secret before this one as well"
  })
}).annotate({ identifier: "SecretRoll" })
export type SecretRollBody = typeof SecretRollBody.Type

/** Events of journeys: everything but the ping, which is asked for by itself. */
export const journeyEventTypes = eventTypes.filter((type) => type !== "ping")
const JourneyEventType = Schema.Literals(journeyEventTypes)

export const SampleBody = Schema.Struct({ type: JourneyEventType }).annotate({ identifier: "SampleEvent" })
export type SampleBody = typeof SampleBody.Type

const JourneyId = formattedText(36, (value) => (uuid.test(value.toLowerCase()) ? undefined : "must be a UUID"), {
  format: "uuid"
})

export const ResendBody = Schema.Struct({
  since: Timestamp.annotate({
    description: `Events made from then on: RFC 3339 with Z or an offset, in the past, at most ${resendableDays} days ago`
  }),
  types: Schema.optionalKey(
    Schema.Array(JourneyEventType).annotate({ description: "Only these; left out, what the endpoint has chosen" })
  ),
  journeyId: Schema.optionalKey(JourneyId.annotate({ description: "Only events of this journey" })),
  delivered: Schema.optionalKey(
    Schema.Boolean.annotate({
      default: false,
      description: "Whether events that were delivered are sent again as well"
    })
  )
}).annotate({ identifier: "Resend" })
export type ResendBody = typeof ResendBody.Type

/** A list that names something, known names only, each once; the schema tells of single entries near its beginning. */
const namesEachOnce = (body: unknown, field: string, names: ReadonlyArray<unknown>) => {
  const given = memberOf(body, field)
  if (!Array.isArray(given)) return []
  const isFine =
    given.length > 0 &&
    new Set(given).size === given.length &&
    given.slice(mostHistoryEntries).every((name) => names.includes(name))
  return isFine ? [] : [invalid(field, `must name at least one of ${names.join(", ")}, each once`)]
}

const endpointRules: BrokenRules = (body, facts) => {
  const url = memberOf(body, "url")
  const judgement = typeof url === "string" ? judgeWebhookUrl(url, facts) : { url }
  return [
    ...("rule" in judgement ? [invalid("url", judgement.rule)] : []),
    ...namesEachOnce(body, "events", eventSelectors)
  ]
}

const resendRules: BrokenRules = (body, { now }) => {
  const since = memberOf(body, "since")
  const at = typeof since === "string" && isTimestamp(since) ? millisOf(since) : now
  return [
    ...(at > now ? [invalid("since", "must not be in the future")] : []),
    ...(at < resendableSince(now) ? [invalid("since", `must be at most ${resendableDays} days ago`)] : []),
    ...namesEachOnce(body, "types", journeyEventTypes)
  ]
}

/** The oldest events that can still be sent again, in epoch milliseconds. */
export const resendableSince = (now: number): number => now - Duration.toMillis(Duration.days(resendableDays))

const decodeEndpoint = bodyDecoder(WebhookEndpointBody, endpointRules)

/** With the URL as it is kept. */
export const decodeWebhookEndpoint = (body: unknown, facts: RequestFacts) =>
  Result.map(decodeEndpoint(body, facts), (given): WebhookEndpointBody => {
    const judgement = judgeWebhookUrl(given.url, facts)
    return "url" in judgement ? { ...given, url: judgement.url } : given
  })

export const decodeSecretRoll = bodyDecoder(SecretRollBody)
export const decodeSample = bodyDecoder(SampleBody)
const decodeRange = bodyDecoder(ResendBody, resendRules)

/** A resend of many as it is asked of the log; `types` null is what the endpoint has chosen. */
export interface ResendWish {
  readonly since: number
  readonly types: ReadonlyArray<EventType> | null
  readonly journeyId: string | null
  readonly delivered: boolean
}

export const decodeResend = (body: unknown, facts: RequestFacts) =>
  Result.map(decodeRange(body, facts), ({ delivered = false, journeyId, since, types = null }): ResendWish => ({
    since: millisOf(since),
    types,
    journeyId: journeyId?.toLowerCase() ?? null,
    delivered
  }))

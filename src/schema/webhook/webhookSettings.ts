/**
 * The request bodies that set a company's webhook endpoint, roll its secret, try it out, and send events again. Where the
 * host of a URL leads is judged elsewhere, because that takes looking up.
 */
import { Duration, Schema } from "effect"
import { eventTypes, type EventType } from "../journey/events.ts"
import { EventSelector, eventSelectors } from "./EventSelection.ts"
import { uuid } from "../parameters.ts"
import { beyondForm, invalid, type BrokenRules, type RequestFacts } from "../decoding.ts"
import { startFieldLimits } from "../start/limits.ts"
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

/** A list that names something, known names only, each once; the schema tells of single entries near its beginning. */
const namesEachOnce = (body: unknown, field: string, names: ReadonlyArray<unknown>) => {
  const given = memberOf(body, field)
  if (!Array.isArray(given)) return []
  const isFine =
    given.length > 0 &&
    new Set(given).size === given.length &&
    given.slice(startFieldLimits.mostHistoryEntries).every((name) => names.includes(name))
  return isFine ? [] : [invalid(field, `must name at least one of ${names.join(", ")}, each once`)]
}

const brokenEndpointRules: BrokenRules = (body, facts) => {
  const url = memberOf(body, "url")
  const judgement = typeof url === "string" ? judgeWebhookUrl(url, facts) : { url }
  return [
    ...("rule" in judgement ? [invalid("url", judgement.rule)] : []),
    ...namesEachOnce(body, "events", eventSelectors)
  ]
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

/** The oldest events that can still be sent again, in epoch milliseconds. */
export const resendableSince = (now: number): number => now - Duration.toMillis(Duration.days(resendableDays))

const brokenResendRules: BrokenRules = (body, { now }) => {
  const since = memberOf(body, "since")
  const at = typeof since === "string" && isTimestamp(since) ? millisOf(since) : now
  return [
    ...(at > now ? [invalid("since", "must not be in the future")] : []),
    ...(at < resendableSince(now) ? [invalid("since", `must be at most ${resendableDays} days ago`)] : []),
    ...namesEachOnce(body, "types", journeyEventTypes)
  ]
}

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
}).annotate({ identifier: "Resend", [beyondForm]: brokenResendRules })
export type ResendBody = typeof ResendBody.Type

/** The URL in the form in which it is kept. */
export const keptUrl = (url: string, facts: Pick<RequestFacts, "allowInsecure">): string => {
  const judgement = judgeWebhookUrl(url, facts)
  return "url" in judgement ? judgement.url : url
}

/** A resend of many as it is asked of the log; `types` null is what the endpoint has chosen. */
export interface ResendWish {
  readonly since: number
  readonly types: ReadonlyArray<EventType> | null
  readonly journeyId: string | null
  readonly delivered: boolean
}

export const wishOf = ({ delivered = false, journeyId, since, types }: ResendBody): ResendWish => ({
  since: millisOf(since),
  types: types ?? null,
  journeyId: journeyId?.toLowerCase() ?? null,
  delivered
})

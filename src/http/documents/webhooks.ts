/**
 * The webhooks section of the document: one entry for each event type, with its headers, its body and an example.
 * `prose.ts` says how an event is signed, and `eventBodies.ts` what a body holds.
 */
import { Duration } from "effect"
import { webhookLimits } from "../../schema/webhook/limits.ts"
import { defaultToleranceSeconds } from "../../actors/webhook/verifier.js"
import { eventCatalogue, eventTypes, type EventType } from "../../schema/journey/events.ts"
import { inWords } from "./durations.ts"
import { eventBodies, nameOf } from "./eventBodies.ts"
import { eventExample } from "./exampleJourneys.ts"

interface Header {
  readonly description: string
  readonly schema: object
}

/** The present secret, and those of before. */
const mostSecretsSigning = 1 + webhookLimits.mostPreviousSecrets

/** The headers of a delivery (§6.2), with the counter of the events of a journey. */
const eventHeaders: Readonly<Record<string, Header>> = {
  "Service-Event-Id": { description: "The event's id, as in the body", schema: { type: "string", format: "uuid" } },
  "Service-Event-Type": {
    description: "The event's type, as in the body",
    schema: { type: "string", enum: eventTypes }
  },
  "Service-Timestamp": {
    description: `When this attempt was made, in unix seconds; refuse a delivery more than ${defaultToleranceSeconds} seconds from now`,
    schema: { type: "integer" }
  },
  "Service-Signature": {
    description:
      "`t=<unix seconds>,v1=<64 lower-case hex characters>`, for a while after the secret was rolled with a `v1` of each secret that signs; see Webhooks on how to verify it",
    schema: { type: "string", pattern: `^t=[0-9]+(,v1=[0-9a-f]{64}){1,${mostSecretsSigning}}$` }
  },
  "Service-Event-Sequence": {
    description:
      "The event's number among those of its journey: 1, 2, 3 and so on, without gaps. A ping or a sample has none",
    schema: { type: "integer", minimum: 1 }
  }
}

export const eventParameters = Object.fromEntries(
  Object.entries(eventHeaders).map(([name, header]) => [
    name,
    { name, in: "header", required: name !== "Service-Event-Sequence", ...header }
  ])
)

const webhookOf = (type: EventType) => {
  const { simulatable, when } = eventCatalogue[type]
  const name = nameOf(type)
  return {
    post: {
      operationId: `on${name}`,
      tags: ["Webhooks"],
      summary: type,
      description: simulatable ? `${when}.\n\nSimulate can force it in the sandbox.` : `${when}.`,
      security: [],
      parameters: Object.keys(eventParameters).map((header) => ({ $ref: `#/components/parameters/${header}` })),
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { $ref: `#/components/schemas/${name}` },
            examples: { [type]: { summary: type, value: eventExample(type) } }
          }
        }
      },
      responses: {
        "2XX": {
          description: `Received, whatever the body says. Answer within ${inWords(Duration.toMillis(webhookLimits.exchangeTimeout))}, and do the work afterwards.`
        },
        default: {
          description: "Anything else, a redirect or a late answer included, is a failed attempt and is repeated."
        }
      }
    }
  }
}

export const webhooks = Object.fromEntries(
  (Object.keys(eventBodies) as ReadonlyArray<EventType>).map((type) => [type, webhookOf(type)])
)

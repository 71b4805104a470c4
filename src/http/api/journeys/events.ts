/**
 * The events of a company for callers who follow them instead of, or beside, receiving them. An event is shown as the
 * bytes that webhooks deliver: its stored text is put into the answer as it is, never parsed and written again. What an
 * event holds is in `documents/eventBodies.ts`.
 */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { EventStore, type StoredEvent } from "../../../actors/webhook/actor/EventStore.ts"
import {
  EventIdParameter,
  JourneyIdParameter,
  latestEvents,
  naming,
  PageQuery,
  textParameter,
  TimestampParameter
} from "../../../schema/decoding/parameters.ts"
import { millisOf } from "../../../schema/decoding/dates.ts"
import { EventTypesParameter, typesSelectedBy } from "../../../schema/webhook/EventSelection.ts"
import { eventBodies } from "../../documents/eventBodies.ts"
import { eventExample } from "../../documents/exampleJourneys.ts"
import { ofAnyKey } from "../../server/answers/commonRefusals.ts"
import { described, Permitted } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { problem, successText } from "../../server/answers/problems.ts"
import { pageAsked } from "../../server/endpoints/query.ts"
import { callerResource } from "../../server/endpoints/serve.ts"
import { read, scopeOf } from "../frame/asCaller.ts"
import { canBeCursor, cursorText, isAhead, readCursor } from "./eventCursor.ts"

const path = "/api/v1/events"

const Event = Schema.Union(Object.values(eventBodies)).annotate({
  identifier: "Event",
  description: "An event, byte for byte as it is delivered to webhook endpoints"
})

const ListedEvent = Schema.Struct({
  sequence: Schema.NullOr(Schema.Int).annotate({
    description: "What a delivery says in `Service-Event-Sequence`; null for a ping or a sample"
  }),
  event: Event
}).annotate({ identifier: "ListedEvent" })

const EventPage = Schema.Struct({
  content: Schema.Array(ListedEvent).annotate({ description: "Oldest first; may be empty although more follow" }),
  next: Schema.String.annotate({
    description: "Pass it as `after` to go on, with the same filters, now or later; there always is one"
  })
}).annotate({ identifier: "EventPage" })

export const EventAnswer = answerOf("EventAnswer", Event)
export const EventPageAnswer = answerOf("EventPageAnswer", EventPage)

const notAPlace = `must be \`next\` of an earlier answer, or ${latestEvents}`
const isPlace = (text: string): boolean => text === latestEvents || canBeCursor(text)

const Query = Schema.Struct({
  journeyId: Schema.optionalKey(
    JourneyIdParameter.annotate({ description: "Only events of this journey; of one that is not yours there are none" })
  ),
  type: Schema.optionalKey(EventTypesParameter),
  delivered: Schema.optionalKey(
    Schema.Literals(["true", "false"]).annotate({
      description:
        "Only events that the webhook endpoint of the key's mode has answered with 2xx, or only those it has not, as it stands when you ask"
    })
  ),
  since: Schema.optionalKey(
    TimestampParameter.annotate({
      description:
        "Only events that were written from this time on: what has changed since then. The real time counts, also for journeys on a test clock"
    })
  ),
  after: Schema.optionalKey(
    textParameter((text) => (isPlace(text) ? undefined : notAPlace)).annotate({
      description: `Only events behind this place: \`next\` of an earlier answer. With \`${latestEvents}\` the page is empty and its \`next\` is the present end`
    })
  ),
  size: PageQuery.fields.size
})

const [first, second] = [eventExample("journey.created"), eventExample("finance_enquiry.submitted")]
const exampleNext = "2_AfD3Xk0uBq7yZc1JmW5sPvQ8RtLh2NgYx4Ea6Ko9Ub0TiVw3HdFz7SrMjCeGl5Ap8Qn1"

const listEvents = HttpApiEndpoint.get("listEvents", path, {
  query: Query,
  success: EventPageAnswer,
  error: refusedWith(ofAnyKey, "VALIDATION_FAILED")
})
  .annotate(Permitted, read)
  .annotateMerge(
    described({
      summary: "List events",
      description: [
        "Every event of the company in the key's mode, oldest first, whether or not there is a webhook endpoint. Pings and samples are among them.",
        "",
        "To follow events: ask with `after=latest` once, then again and again with `after` set to the `next` of the answer before, also when it was empty. To begin at a time, ask with `since` first. Nothing is passed by: an event is listed when everything before it is, some milliseconds after it happened."
      ].join("\n"),
      answer: {
        description: "Events, and where to go on",
        message: "Events",
        examples: {
          Events: {
            summary: "Two events",
            value: {
              content: [
                { sequence: 1, event: first },
                { sequence: 2, event: second }
              ],
              next: exampleNext
            }
          },
          End: { summary: "Nothing new yet", value: { content: [], next: exampleNext } }
        }
      }
    })
  )

const getEvent = HttpApiEndpoint.get("getEvent", `${path}/:eventId`, {
  params: {
    eventId: EventIdParameter.annotate({
      description: "The event's id",
      ...naming("event", "NOT_FOUND", "No such event for this key")
    })
  },
  success: EventAnswer,
  error: refusedWith(ofAnyKey, "NOT_FOUND")
})
  .annotate(Permitted, read)
  .annotateMerge(
    described({
      summary: "Get an event",
      description: "One event. An event of another company, or of the other mode, is not found.",
      answer: {
        description: "The event",
        message: "Event",
        examples: { Created: { summary: "A journey was accepted", value: first } }
      }
    })
  )

const pageText = (content: ReadonlyArray<StoredEvent>, next: string): string =>
  `{"content":[${content.map(({ body, sequence }) => `{"sequence":${sequence},"event":${body}}`).join(",")}],` +
  `"next":${JSON.stringify(next)}}`

export const eventOperations = callerResource([listEvents, getEvent], {
  listEvents: ({ caller, query }) =>
    Effect.gen(function* () {
      const asked = yield* query
      const store = yield* EventStore
      const scope = scopeOf(caller)
      if (asked.after === latestEvents) {
        return successText(200, pageText([], yield* cursorText(scope, yield* store.end)), "Events")
      }
      const after = asked.after === undefined ? null : yield* readCursor(scope, asked.after)
      if (asked.after !== undefined && after === null) return yield* problem("VALIDATION_FAILED", "after", notAPlace)
      const { content, next } = yield* store.list(scope, {
        journeyId: asked.journeyId ?? null,
        types: asked.type === undefined ? null : typesSelectedBy(asked.type),
        delivered: asked.delivered === undefined ? null : asked.delivered === "true",
        since: asked.since === undefined ? null : millisOf(asked.since),
        after,
        size: pageAsked(asked).size
      })
      // A place that the database has not reached is of a later state of the database, before an older one was restored.
      // Whoever went on from that place would miss in silence what happens until then.
      if (content.length === 0 && after !== null && isAhead(after, yield* store.end)) {
        return yield* problem("VALIDATION_FAILED", "after", "names a place that is ahead of every event; begin again")
      }
      // The same place is the same text, so that a follower sees that it has not moved.
      const isStill = after !== null && after.tx === next.tx && after.id === next.id
      const text = isStill && asked.after !== undefined ? asked.after : yield* cursorText(scope, next)
      return successText(200, pageText(content, text), "Events")
    }),

  getEvent: ({ caller, path }) =>
    Effect.gen(function* () {
      const id = yield* path("eventId")
      const store = yield* EventStore
      const found = yield* store.find(scopeOf(caller), id)
      if (found === null) return yield* problem("NOT_FOUND", "event", "No such event for this key")
      const sequence = found.sequence === null ? {} : { "service-event-sequence": String(found.sequence) }
      return successText(200, found.body, "Event", sequence)
    })
})

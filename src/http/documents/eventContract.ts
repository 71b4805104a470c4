/**
 * The events API as a contract: reading what webhooks deliver, in the same bytes. It handles nothing;
 * `events/eventRoutes.ts` does, and a test holds the two together. What an event holds is in `eventBodies.ts`.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { JourneyResource } from "../../schema/journey/resource.ts"
import { EventQuery } from "../../schema/parameters.ts"
import { cursorText } from "../api/events/eventCursor.ts"
import { answerOf, failuresOf } from "../server/envelope.ts"
import { eventBodies } from "./eventBodies.ts"
import { eventExample } from "./exampleJourneys.ts"
import { answered, type Answers } from "../server/exampleAnswer.ts"
import { refusals } from "./refusals.ts"
import { ApiKeyRequired } from "../server/security.ts"

const Event = Schema.Union(Object.values(eventBodies)).annotate({
  identifier: "Event",
  description: "An event, byte for byte as it is delivered to webhook endpoints"
})

const EventPage = Schema.Struct({
  content: Schema.Array(Event).annotate({ description: "Oldest first; may be empty although more follow" }),
  sequences: Schema.Array(Schema.NullOr(Schema.Int)).annotate({
    description:
      "Of each event in `content` what a delivery says in `Service-Event-Sequence`; null for a ping or a sample"
  }),
  next: Schema.String.annotate({
    description: "Pass it as `after` to go on, with the same filters, now or later; there always is one"
  })
}).annotate({ identifier: "EventPage" })

export const EventAnswer = answerOf("EventAnswer", Event)
export const EventPageAnswer = answerOf("EventPageAnswer", EventPage)

const listEvents = HttpApiEndpoint.get("listEvents", "/api/v1/events", {
  query: EventQuery,
  success: EventPageAnswer,
  error: failuresOf(refusals.listEvents)
}).annotateMerge(
  OpenApi.annotations({
    summary: "List events",
    description: [
      "Every event of the company in the key's mode, oldest first, whether or not there is a webhook endpoint. Pings and samples are among them.",
      "",
      "To follow events: ask with `after=latest` once, then again and again with `after` set to the `next` of the answer before, also when it was empty. Nothing is passed by: an event is listed when everything before it is, some milliseconds after it happened."
    ].join("\n")
  })
)

const getEvent = HttpApiEndpoint.get("getEvent", "/api/v1/events/:eventId", {
  params: { eventId: JourneyResource.fields.id.annotate({ description: "The event's id" }) },
  success: EventAnswer,
  error: failuresOf(refusals.getEvent)
}).annotateMerge(
  OpenApi.annotations({
    summary: "Get an event",
    description: "One event. An event of another company, or of the other mode, is not found."
  })
)

const [first, second] = [eventExample("journey.created"), eventExample("finance_enquiry.submitted")]

const next = cursorText({ tx: "7405", id: String(second["id"]) })

export const eventAnswers: Answers = {
  listEvents: {
    200: {
      description: "Events, and where to go on",
      examples: {
        Events: answered("Two events", "Events", { content: [first, second], sequences: [1, 2], next }),
        End: answered("Nothing new yet", "Events", { content: [], sequences: [], next })
      }
    }
  },
  getEvent: {
    200: {
      description: "The event",
      examples: { Created: answered("A journey was accepted", "Event", first) }
    }
  }
}

export const events = HttpApiGroup.make("events", { topLevel: true })
  .add(listEvents, getEvent)
  .middleware(ApiKeyRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Events",
      description:
        "What webhooks deliver, to be read instead or as well: follow events from where no endpoint can be reached, or look for one that was missed."
    })
  )

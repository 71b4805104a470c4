/**
 * GET of one event and of the list that integrators follow. An event is shown as the bytes that are delivered: its
 * stored text is put into the answer as it is, never parsed and written again.
 */
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { EventStore, type EventQuery, type StoredEvent } from "../../../actors/webhook/actor/EventStore.ts"
import { latestEvents, uuid } from "../../../schema/parameters.ts"
import { eventTypeOf, idOf, oneOf, readCursorQuery } from "../../server/cursorQuery.ts"
import { callerEndpoint } from "../../server/callerEndpoint.ts"
import { scopeOf } from "../journeys/readEndpoints.ts"
import { problem, successText, type Problem } from "../../server/problems.ts"
import { cursorText, isAhead, readCursor } from "./eventCursor.ts"

const read = { scope: "journeys:read", testOnly: false } as const
const noBody = () => Effect.void

type ListQuery = Omit<EventQuery, "after"> & { readonly after: EventQuery["after"] | typeof latestEvents }

const afterRule = `must be \`next\` of an earlier answer, or ${latestEvents}`

const listQuery = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<ListQuery, Problem> =>
  readCursorQuery(request, ["journeyId", "type", "delivered", "after"], (given, wrong) => {
    const delivered = oneOf(given, wrong, "delivered", ["true", "false"])
    const after = given.get("after")
    return {
      journeyId: idOf(given, wrong, "journeyId"),
      type: eventTypeOf(given, wrong),
      delivered: delivered === null ? null : delivered === "true",
      after: after === null || after === latestEvents ? after : (readCursor(after) ?? wrong("after", afterRule))
    }
  })

const pageText = (content: ReadonlyArray<StoredEvent>, next: string): string =>
  `{"content":[${content.map(({ body }) => body).join(",")}],` +
  `"sequences":${JSON.stringify(content.map(({ sequence }) => sequence))},"next":${JSON.stringify(next)}}`

const message = "Events"

export const listEventsEndpoint = callerEndpoint(
  read,
  noBody,
  Effect.fnUntraced(function* (request, caller) {
    const { after, ...query } = yield* listQuery(request)
    const store = yield* EventStore
    if (after === latestEvents) return successText(200, pageText([], cursorText(yield* store.end)), message)
    const { content, next } = yield* store.list(scopeOf(caller), { ...query, after })
    // A place that the database has not reached is of a later state of it, before an older one was restored. Whoever
    // went on from it would miss in silence what happens until then.
    if (content.length === 0 && after !== null && isAhead(after, yield* store.end)) {
      return yield* problem("VALIDATION_FAILED", "after", "names a place that is ahead of every event; begin again")
    }
    return successText(200, pageText(content, cursorText(next)), message)
  })
)

const notFound = (): Problem => problem("NOT_FOUND", "event", "No such event for this key")

export const getEventEndpoint = callerEndpoint(
  read,
  noBody,
  Effect.fnUntraced(function* (_request, caller) {
    const params = yield* HttpRouter.params
    const id = (params["eventId"] ?? "").toLowerCase()
    const store = yield* EventStore
    const found = uuid.test(id) ? yield* store.find(scopeOf(caller), id) : null
    if (found === null) return yield* notFound()
    const sequence = found.sequence === null ? {} : { "service-event-sequence": String(found.sequence) }
    return successText(200, found.body, "Event", sequence)
  })
)

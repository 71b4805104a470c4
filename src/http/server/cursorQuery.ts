/**
 * Lists that go on from a cursor instead of a page number, for what grows while it is read. The cursor's name and its
 * meaning are the list's own; what several such lists can be filtered by is judged here.
 */
import type { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { eventTypes, type EventType } from "../../schema/journey/events.ts"
import { uuid } from "../../schema/parameters.ts"
import { readParameters, sizeOf, type Wrong } from "./listQuery.ts"
import type { Problem } from "./problems.ts"

/** The parameters of a request: `names` are those of this list beside size, its cursor included; `judge` reads them. */
export const readCursorQuery = <A>(
  request: HttpServerRequest.HttpServerRequest,
  names: ReadonlyArray<string>,
  judge: (given: URLSearchParams, wrong: Wrong) => A
): Effect.Effect<A & { readonly size: number }, Problem> =>
  readParameters(request, [...names, "size"], (given, wrong) => ({
    ...judge(given, wrong),
    size: sizeOf(given, wrong)
  }))

/** `data` of such a list's answer; `next` is null on the last page. */
export const cursorData = <A, B>(content: ReadonlyArray<A>, next: string | null, resource: (one: A) => B) => ({
  content: content.map(resource),
  next
})

/** One of several values, exactly; null when it is not given. */
export const oneOf = <const A extends string>(
  given: URLSearchParams,
  wrong: Wrong,
  name: string,
  values: ReadonlyArray<A>
): A | null => {
  const text = given.get(name)
  return text === null
    ? null
    : (values.find((value) => value === text) ?? wrong(name, `must be one of ${values.join(", ")}`))
}

/** There are too many to name them all in a refusal. */
export const eventTypeOf = (given: URLSearchParams, wrong: Wrong): EventType | null => {
  const text = given.get("type")
  return text === null
    ? null
    : (eventTypes.find((type) => type === text) ??
        wrong("type", "must be the name of one event, such as journey.created"))
}

/** An id in lower case; null when it is not given. An id that nobody has is a filter that nothing passes. */
export const idOf = (given: URLSearchParams, wrong: Wrong, name: string): string | null => {
  const id = given.get(name)?.toLowerCase() ?? null
  return id === null || uuid.test(id) ? id : wrong(name, "must be a UUID")
}

/**
 * What every endpoint has in common: one Request-Id an answer, the envelope whatever happens, no caching, and the last
 * line of defence. A route is data, so that 404, 405 with Allow, and the documents know all of them.
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Cause, Effect, Exit, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Ids } from "../actors/journey/Ids.ts"
import type { OutcomeUnknown } from "../actors/journey/JourneyEntity.ts"
import type { JourneyUnreadable, StoreUnavailable } from "../actors/journey/JourneyStore.ts"
import { Problem, problem, problemResponse, unavailable } from "./problems.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

/** What a handler may fail with; anything else is a defect. */
export type Failure = Problem | StoreUnavailable | OutcomeUnknown | JourneyUnreadable

export interface Route<R> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** With parameters as `:name`. */
  readonly path: `/${string}`
  readonly handle: (request: Request) => Effect.Effect<Response, Failure, R>
}

/** What the handlers of some routes need; routes of several pages in one list are told apart by nothing else. */
export type ServicesOf<Routes extends ReadonlyArray<Route<unknown>>> = Routes[number] extends Route<infer R> ? R : never

const security = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
}

/** Registers routes, and answers what none of them matches. */
export const routes = <R>(
  all: ReadonlyArray<Route<R>>
): Layer.Layer<
  never,
  never,
  HttpRouter.HttpRouter | HttpRouter.Request.From<"Requires", Exclude<R | Ids, HttpRouter.Provided>>
> =>
  HttpRouter.addAll([
    ...all.map((route) => HttpRouter.route(route.method, route.path, answering(route.handle))),
    HttpRouter.route("*", "*", answering(unmatched(all)))
  ])

const answering =
  <R>(handle: Route<R>["handle"]) =>
  (request: Request): Effect.Effect<Response, never, R | Ids> =>
    Effect.flatMap(Ids, (ids) => {
      const requestId = ids.next()
      return Effect.flatMap(Effect.exit(Effect.suspend(() => refuseTwoHosts(request) ?? handle(request))), (exit) => {
        const answer = Exit.isSuccess(exit) ? Effect.succeed(exit.value) : answerTo(request, requestId, exit.cause)
        return Effect.map(answer, (response) =>
          HttpServerResponse.setHeaders(response, { "request-id": requestId, ...security })
        )
      })
    })

/** Node joins or drops repeated headers; two hosts are a request somebody wants two servers to read differently. */
const refuseTwoHosts = (request: Request): Effect.Effect<never, Problem> | null => {
  const { rawHeaders } = NodeHttpServerRequest.toIncomingMessage(request)
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === "host") hosts++
  return hosts > 1 ? Effect.fail(problem("VALIDATION_FAILED", "Host", "One Host header, please")) : null
}

const answerTo = (request: Request, requestId: string, cause: Cause.Cause<Failure>): Effect.Effect<Response> => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  switch (failure?._tag) {
    case "Problem":
      return Effect.succeed(problemResponse(failure))
    case "StoreUnavailable":
      return Effect.as(Effect.logWarning("The store is unavailable", { requestId }), problemResponse(unavailable()))
    case "OutcomeUnknown":
      // "A 503 creates nothing" cannot be promised here, so nothing is said at all.
      return Effect.andThen(
        Effect.logError("A commit's outcome is unknown; the connection is dropped", { requestId }),
        Effect.sync(() => NodeHttpServerRequest.toIncomingMessage(request).socket.destroy()).pipe(
          Effect.andThen(Effect.interrupt)
        )
      )
    case "JourneyUnreadable":
      return Effect.as(
        Effect.logError("A stored journey cannot be read", { requestId, journeyId: failure.journeyId }),
        problemResponse(problem("INTERNAL_ERROR", "service"))
      )
    case undefined:
      if (Cause.hasInterrupts(cause)) return Effect.succeed(problemResponse(unavailable()))
      return Effect.as(
        Effect.logError("A request died", { requestId }, cause),
        problemResponse(problem("INTERNAL_ERROR", "service"))
      )
  }
}

const unmatched =
  (all: ReadonlyArray<Pick<Route<never>, "method" | "path">>) =>
  (request: Request): Effect.Effect<never, Problem> => {
    const path = request.url.split("?", 1)[0] ?? ""
    const allowed = all.filter((route) => matches(route.path, path)).map((route) => route.method)
    return Effect.fail(
      allowed.length === 0
        ? problem("NOT_FOUND", "path")
        : problem("METHOD_NOT_ALLOWED", "method", undefined, { allow: [...new Set(allowed)].join(", ") })
    )
  }

const matches = (pattern: string, path: string): boolean => {
  const expected = pattern.split("/")
  const given = path.split("/")
  return expected.length === given.length && expected.every((part, at) => part.startsWith(":") || part === given[at])
}

/**
 * What operators see of a request: the time that its route took, the status of the answer, and the root span. A span holds
 * the method, the route and the id of the request. It never holds the query, the headers, the address or the body. A trace
 * that the caller names (`traceparent`) is ignored.
 */
import { Clock, Effect, Exit, References } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { meterOf } from "../../../actors/kernel/Meter.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest
type Handle<R> = (request: Request) => Effect.Effect<Response, never, R>

/** Nanoseconds in a second. */
const second = 1e9

/** Carries an answer with status 500 or more out of the span, so that the span counts as failed. */
class ServerError {
  readonly _tag = "ServerError"
  readonly response: Response
  constructor(response: Response) {
    this.response = response
  }
}

const statusClass = (exit: Exit.Exit<Response>): "2xx" | "3xx" | "4xx" | "5xx" | "none" => {
  if (Exit.isFailure(exit)) return "none"
  const { status } = exit.value
  return status >= 500 ? "5xx" : status >= 400 ? "4xx" : status >= 300 ? "3xx" : "2xx"
}

const inSpan = <R>(method: string, route: string, answer: Effect.Effect<Response, never, R>) =>
  Effect.useSpan(
    `${method} ${route}`,
    { root: true, kind: "server", attributes: { "http.request.method": method, "http.route": route } },
    (span) =>
      Effect.flatMap(Effect.withParentSpan(answer, span, { captureStackTrace: false }), (response) => {
        span.attribute("http.response.status_code", response.status)
        span.attribute("request.id", response.headers["request-id"])
        return response.status >= 500 ? Effect.fail(new ServerError(response)) : Effect.succeed(response)
      })
  ).pipe(Effect.catch(({ response }) => Effect.succeed(response)))

/** Probes and scrapes get no span: they come every few seconds and say nothing about any journey. */
const isWatching = (route: string): boolean => route === "/metrics" || route.startsWith("/health/")

/** The path has its parameters as `:name`. It is null for a request that no route matches. */
export const observed = <R>(path: string | null, handle: Handle<R>): Handle<R> => {
  const route = path === null ? "unmatched" : path.replaceAll(/:(\w+)/g, "{$1}")
  const isWatched = isWatching(route)

  const traced = (request: Request, isOn: boolean) => {
    const answer = handle(request)
    if (isWatched) return Effect.withTracerEnabled(answer, false)
    return isOn ? inSpan(request.method, route, answer) : answer
  }

  // One look at the fiber instead of an effect for each thing that is asked of it: every request comes this way.
  return (request) =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const meter = meterOf(fiber)
      const begun = clock.monotonicTimeNanosUnsafe()
      meter.change("journeys_http_requests_in_flight", {}, 1)
      return Effect.onExit(traced(request, fiber.getRef(References.TracerEnabled)), (exit) => {
        const took = Number(clock.monotonicTimeNanosUnsafe() - begun) / second
        meter.change("journeys_http_requests_in_flight", {}, -1)
        meter.observe(
          "journeys_http_request_seconds",
          { method: request.method, route, status: statusClass(exit) },
          took
        )
        return Effect.void
      })
    })
}

/**
 * What all routes have in common: every answer has a Request-Id and forbids caching, and every failure becomes an answer.
 * A route is data, so that the answers 404 and 405 (with Allow) can be made from the list of all routes. Who may ask and
 * what is decoded is decided in `serve.ts`.
 */
import { Cause, Context, Duration, Effect, Layer } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { incomingMessage } from "../incomingMessage.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { CurrentRequestId } from "../../../actors/kernel/RequestId.ts"
import type { JourneyUnreadable, StoreUnavailable, OutcomeUnknown } from "../../../actors/kernel/StoreError.ts"
import { ServiceAddress } from "../../../actors/mail/ServiceAddress.ts"
import { isSecureAddress } from "./cookies.ts"
import { httpLimits } from "../limits.ts"
import { observed } from "./observation.ts"
import { problem, unavailable, type Problem } from "./problems.ts"
import { makeUnavailableNews } from "./unavailableNews.ts"
import { drain } from "./unreadBody.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

/** The errors that a handler may fail with. Anything else is a defect. */
export type HandlerFailure = Problem | StoreUnavailable | OutcomeUnknown | JourneyUnreadable

export interface Route<R> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Parameters stand in it as `:name`. */
  readonly path: `/${string}`
  readonly handle: (request: Request) => Effect.Effect<Response, HandlerFailure, R>
}

/** The services that the handlers of some routes need. */
export type ServicesOf<Routes extends ReadonlyArray<Route<unknown>>> = Routes[number] extends Route<infer R> ? R : never

/** As much of a request as decides in which form its sender can read the answer. */
export interface RequestHead {
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Makes the answer that a problem becomes: people read pages, programs read the envelope. */
export type AnswerProblem = (asked: RequestHead, failure: Problem) => Response

/** What is no page and is shown by a browser all the same runs and loads nothing, and stands in no frame. */
export const nothingAllowed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const alwaysSent = {
  "content-security-policy": nothingAllowed,
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
}

/** Who came over https comes over https from then on (HSTS). Over plain http, as on somebody's own machine, nothing is said. */
const securityOverHttps = {
  ...alwaysSent,
  "strict-transport-security": `max-age=${Duration.toSeconds(httpLimits.httpsOnlyFor)}`
}

/** The headers of every answer of a service at this address, unless the route sets them itself, as pages do. */
export const alwaysSentAt = (address: ServiceAddress["Service"]): Readonly<Record<string, string>> =>
  isSecureAddress(address) ? securityOverHttps : alwaysSent

/**
 * Paths are compared exactly, except that doubled and trailing slashes do not count. An id that is too long is an id that
 * nobody has, so the router must not refuse it; the server's limit on headers bounds the length of a path.
 */
export const routerConfig = { caseSensitive: true, maxParamLength: Number.MAX_SAFE_INTEGER } as const

/** Registers routes, and answers requests that match none of them. */
export const routes = <R>(
  all: ReadonlyArray<Route<R>>,
  answerProblem: AnswerProblem
): Layer.Layer<
  never,
  never,
  | HttpRouter.HttpRouter
  | HttpRouter.Request.From<"Requires", Exclude<R | Ids | ServiceAddress, HttpRouter.Provided>>
  | HttpRouter.Request.From<"GlobalRequires", Ids | ServiceAddress>
> => {
  const answered = answering({ answerProblem, sayUnavailable: makeUnavailableNews() })
  return Layer.merge(
    HttpRouter.addAll(
      [...all, ...methodsNotAllowed(all)].map((route) =>
        HttpRouter.route(route.method, route.path, observed(route.path, answered(route.handle)))
      )
    ),
    fallback(all, answered)
  )
}

type Answered = ReturnType<typeof answering>

type Unrouted = ReadonlyArray<Pick<Route<never>, "method" | "path">>

/**
 * Answers requests that no route matches. A route for every path would not do: HEAD would reach it before GET, and a path
 * that cannot be decoded would never reach it.
 */
const fallback = (all: Unrouted, answered: Answered) =>
  HttpRouter.middleware(
    <E, R>(routed: Effect.Effect<Response, E, R>) =>
      Effect.catchIf(routed, isUnmatched, () => notRouted(all, answered)),
    { global: true }
  )

const notRouted = (all: Unrouted, answered: Answered): Effect.Effect<Response, never, Ids | Request | ServiceAddress> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, observed(null, answered<never>(unmatched(all))))

const isUnmatched = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** How failures of the routes of one router are answered, and said in the log. */
interface Failing {
  readonly answerProblem: AnswerProblem
  readonly sayUnavailable: ReturnType<typeof makeUnavailableNews>
}

// One look at the fiber instead of an effect for each thing that is asked of it: every request comes this way.
const answering =
  (failing: Failing) =>
  <R>(handle: Route<R>["handle"]) =>
  (request: Request): Effect.Effect<Response, never, R | Ids | ServiceAddress> =>
    Effect.withFiber((fiber) => {
      const context = fiber.context as Context.Context<Ids | ServiceAddress>
      const requestId = Context.get(context, Ids).next()
      const always = alwaysSentAt(Context.get(context, ServiceAddress))
      const finish = (response: Response): Effect.Effect<Response> => {
        const finished = HttpServerResponse.setHeaders(response, {
          ...always,
          ...response.headers,
          "request-id": requestId
        })
        const draining = drain(request)
        return draining === null ? Effect.succeed(finished) : Effect.as(draining, finished)
      }
      return Effect.matchCauseEffect(
        Effect.provideService(
          Effect.suspend(() => refuseAmbiguous(request) ?? handle(request)),
          CurrentRequestId,
          requestId
        ),
        {
          onSuccess: finish,
          onFailure: (cause) => Effect.flatMap(answerTo(failing, request, requestId, cause), finish)
        }
      )
    })

/**
 * Refuses requests that two servers could read differently. Node joins or drops repeated headers, so the Host headers are
 * counted here; HTTP/1.0 needs none. Node would answer HTTP/2.0 as if it were HTTP/1.1, and would not undo a coding below the
 * chunks. The router would take `;` for the beginning of the query, and does not look at the first character of a path.
 */
const refuseAmbiguous = (request: Request): Effect.Effect<never, Problem> | null => {
  const { headers, httpVersion, rawHeaders } = incomingMessage(request)
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    return Effect.fail(problem("VALIDATION_FAILED", "request", "Send the request as HTTP/1.1"))
  }
  const coding = headers["transfer-encoding"]
  if (coding !== undefined && coding.toLowerCase() !== "chunked") {
    return Effect.fail(problem("VALIDATION_FAILED", "Transfer-Encoding", "Transfer-Encoding may be chunked, alone"))
  }
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === "host") hosts++
  if (hosts > 1 || (hosts === 0 && httpVersion !== "1.0")) {
    return Effect.fail(problem("VALIDATION_FAILED", "Host", "Send one Host header"))
  }
  return /^\*|^[^?]*[;#]/.test(request.url) ? Effect.fail(problem("NOT_FOUND", "path")) : null
}

/** The problem that a failure is answered with; null when the connection is dropped instead. */
export const problemOf = (cause: Cause.Cause<HandlerFailure>): Problem | null => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  switch (failure?._tag) {
    case "Problem":
      return failure
    case "StoreUnavailable":
      return unavailable()
    case "OutcomeUnknown":
      // A 503 promises that nothing was created. That promise cannot be made here, so the request gets no answer.
      return null
    case "JourneyUnreadable":
      return problem("INTERNAL_ERROR", "service")
    case undefined:
      return Cause.hasInterrupts(cause) ? unavailable() : problem("INTERNAL_ERROR", "service")
  }
}

/** What an operator reads of a failure that is not the caller's. */
const logFailure = (
  { sayUnavailable }: Failing,
  requestId: string,
  cause: Cause.Cause<HandlerFailure>
): Effect.Effect<void> => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  switch (failure?._tag) {
    case "Problem":
      return Effect.void
    case "StoreUnavailable":
      return sayUnavailable(requestId)
    case "OutcomeUnknown":
      return Effect.logError("A commit's outcome is unknown; the connection is dropped", { requestId })
    case "JourneyUnreadable":
      return Effect.logError("A stored journey cannot be read", { requestId, journeyId: failure.journeyId })
    case undefined:
      return Cause.hasInterrupts(cause) ? Effect.void : Effect.logError("A request died", { requestId }, cause)
  }
}

const answerTo = (
  failing: Failing,
  request: Request,
  requestId: string,
  cause: Cause.Cause<HandlerFailure>
): Effect.Effect<Response> =>
  Effect.flatMap(logFailure(failing, requestId, cause), () => {
    const failure = problemOf(cause)
    if (failure !== null) return Effect.succeed(failing.answerProblem(request, failure))
    incomingMessage(request).socket.destroy()
    return Effect.interrupt
  })

const unmatched =
  (all: Unrouted) =>
  (request: Request): Effect.Effect<never, Problem> => {
    const path = partsOf(asRouted(request.url.split("?", 1)[0] ?? ""))
    const fitting = all
      .map((route) => ({ method: route.method, parts: partsOf(route.path) }))
      .filter(({ parts }) => matches(parts, path))
    const allowed = fitting
      .filter(({ parts }) => !fitting.some((other) => isNarrower(other.parts, parts)))
      // The router answers HEAD wherever there is a GET.
      .flatMap(({ method }): ReadonlyArray<string> => (method === "GET" ? [method, "HEAD"] : [method]))
    return Effect.fail(
      // The path matches and has the method, yet the router did not take it: the path cannot be decoded.
      allowed.length === 0 || allowed.includes(request.method)
        ? problem("NOT_FOUND", "path")
        : problem("METHOD_NOT_ALLOWED", "method", undefined, { allow: [...new Set(allowed)].join(", ") })
    )
  }

/**
 * A path without a parameter is no value of the parameter of a wider path: `GET .../journeys/validate` asks for no journey. The
 * methods that only the wider path has are therefore answered like any other method that a path has not.
 */
const methodsNotAllowed = (all: Unrouted): ReadonlyArray<Route<never>> => {
  const refuse = unmatched(all)
  const known = new Set(all.map(({ method, path }) => `${method} ${path}`))
  const wider = all
    .filter(({ path }) => path.includes("/:"))
    .map(({ method, path }) => ({ method, parts: partsOf(path) }))
  return [...new Set(all.map(({ path }) => path))].flatMap((path) => {
    const narrow = partsOf(path)
    return [...new Set(wider.filter(({ parts }) => isNarrower(narrow, parts)).map(({ method }) => method))]
      .filter((method) => !known.has(`${method} ${path}`))
      .map((method) => ({ method, path, handle: refuse }))
  })
}

type Parts = ReadonlyArray<string>

const partsOf = (path: string): Parts => path.split("/")

/** Whether each request for the one path would also fit the other, and not the other way round. */
const isNarrower = (path: Parts, than: Parts): boolean => matches(than, path) && !matches(path, than)

/** The path in the form in which the router compares it: without doubled and trailing slashes. */
const asRouted = (path: string): string => path.replaceAll(/\/+/g, "/").replace(/(?<=.)\/$/, "")

const matches = (pattern: Parts, path: Parts): boolean =>
  pattern.length === path.length && pattern.every((part, at) => part.startsWith(":") || part === path[at])

/**
 * Serves the endpoints of an `HttpApi` value: the value is the only description of an endpoint, and everything that a
 * request meets before and after its handler is read from it. In order (decision V15): content type and size, who is
 * asking and whether they have requests left in this minute, the handler with its decoded input, the envelope.
 * `HttpApiBuilder` is not used, because it judges path, query and body before a handler can look anything up, and answers 404
 * and 405 by itself: the order of checks and the bytes of those answers would change. What the endpoints do is in
 * `src/http/api`.
 */
import { Context, Effect } from "effect"
import { HttpServerResponse, type HttpRouter, type HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { RequestLog } from "../../../actors/company/RequestLog.ts"
import type { Keyring } from "../../../actors/company/Keyring.ts"
import type { ServiceAddress } from "../../../actors/mail/ServiceAddress.ts"
import type { OperatorTokens } from "../../../actors/installation/OperatorTokens.ts"
import type { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import type { HandlerFailure, Route } from "../answers/answering.ts"
import { askedOf, type Asked } from "./asked.ts"
import type { Caller, RateLimit } from "../callers/authentication.ts"
import { hasBody, judgeTransport } from "../bodies/body.ts"
import { callerEndpoint } from "./callerEndpoint.ts"
import { answerAt, LargestJson, OptionalBody, Permitted } from "./described.ts"
import { statusOfSuccess } from "../answers/envelope.ts"
import type { Asker } from "./Asker.ts"
import type { Operator, ProviderAddresses } from "../callers/operator.ts"
import { success } from "../answers/problems.ts"
import type { RateLimiter } from "../admission/RateLimiter.ts"
import { inListPlace } from "../admission/ListPlaces.ts"
import { ApiKeyRequired, OperatorTokenRequired } from "./security.ts"
import { settingsGate } from "./settingsGate.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** The data that an endpoint's envelope holds. */
export type DataOf<E extends HttpApiEndpoint.Constraint> = E["~Success"]["Type"] extends { readonly data: infer Data }
  ? Data
  : never

/** Answers with the data of the envelope, or with a response of its own. */
type Handler<E extends HttpApiEndpoint.Constraint, Who, R> = (
  asked: Asked<E, Who>
) => Effect.Effect<DataOf<E> | Response, HandlerFailure, R>

type Handlers<Endpoints extends ReadonlyArray<HttpApiEndpoint.Constraint>, Who> = {
  readonly [E in Endpoints[number] as E["identifier"]]: Handler<E, Who, unknown>
}

/** The endpoints of a resource with their handlers, which are typed by the endpoints and complete. */
const resourceFor =
  <Who>() =>
  <const Endpoints extends ReadonlyArray<HttpApiEndpoint.Constraint>, All extends Handlers<Endpoints, Who>>(
    endpoints: Endpoints,
    handlers: All
  ) => ({ endpoints, handlers })

/** A resource for callers with an API key. */
export const callerResource = resourceFor<Caller>()

/** A resource for the operator and for members of companies. */
export const operatorResource = resourceFor<null>()

/** A resource for outside providers. */
export const providerResource = resourceFor<null>()

type AnyHandler<R> = (asked: never) => Effect.Effect<unknown, HandlerFailure, R>
type ServicesOfHandlers<All> = All[keyof All] extends AnyHandler<infer R> ? R : never
type Served<R> = Route<
  | Exclude<R, Asker>
  | HttpRouter.RouteContext
  | ConsoleSessions
  | Keyring
  | Operator
  | OperatorTokens
  | ProviderAddresses
  | RateLimit
  | RateLimiter
  | RequestLog
  | ServiceAddress
>

/** The names of a group's endpoints. */
type NamesOf<Group> =
  HttpApiGroup.Endpoints<Group> extends infer E
    ? E extends { readonly identifier: infer Name extends string }
      ? Name
      : never
    : never

/** The routes of a group's endpoints. `handlers` has a handler for each endpoint, by the endpoint's name. */
export const served = <
  Group extends HttpApiGroup.Constraint,
  All extends { readonly [Name in NamesOf<Group>]: AnyHandler<unknown> }
>(
  group: Group,
  handlers: All
): ReadonlyArray<Served<ServicesOfHandlers<All>>> => {
  // The two are typed together where the resources are made.
  const known = handlers as unknown as Readonly<Record<string, AnyHandler<ServicesOfHandlers<All>>>>
  return (Object.values(group.endpoints) as ReadonlyArray<unknown> as ReadonlyArray<HttpApiEndpoint.Top>).flatMap(
    (endpoint) => {
      const handler = known[endpoint.identifier]
      return handler === undefined ? [] : [routeOf(endpoint, handler)]
    }
  )
}

const routeOf = <R>(endpoint: HttpApiEndpoint.Top, handler: AnyHandler<R>): Served<R> => {
  const asked = askedOf(endpoint)
  const respond = respondWith(endpoint)
  const handle = (request: Request, caller: Caller | null) =>
    Effect.map(inListPlace(endpoint, handler(asked(request, caller) as never)), respond)
  return {
    method: endpoint.method as Route<R>["method"],
    path: endpoint.path as Route<R>["path"],
    // The gate of the settings API says who asks; no other operation wants to know.
    handle: gated(endpoint, handle) as Served<R>["handle"]
  }
}

/** Who may ask is said by the middleware of the endpoint; a provider's signature is judged by the handler, over the body. */
const gated = <R>(
  endpoint: HttpApiEndpoint.Top,
  handle: (request: Request, caller: Caller | null) => Effect.Effect<Response, HandlerFailure, R>
) => {
  const judgeBody = judgeTransport(
    [...endpoint.payload.keys()],
    Context.getOrUndefined(endpoint.annotations, LargestJson)
  )
  const isOptional = Context.getOrUndefined(endpoint.annotations, OptionalBody) ?? false
  const judge = (request: Request) => (isOptional && !hasBody(request) ? Effect.void : judgeBody(request))
  const middlewares: ReadonlySet<unknown> = endpoint.middlewares
  if (middlewares.has(ApiKeyRequired)) {
    return callerEndpoint(routeNameOf(endpoint), Context.getUnsafe(endpoint.annotations, Permitted), judge, handle)
  }
  if (middlewares.has(OperatorTokenRequired)) return settingsGate(endpoint, judge, (request) => handle(request, null))
  return (request: Request) => handle(request, null)
}

/** How logs name a route: the method, and the path with the names of its parameters. */
const routeNameOf = ({ method, path }: HttpApiEndpoint.Top): string => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`

/** Puts data into the envelope of the endpoint's success. */
const respondWith = (endpoint: HttpApiEndpoint.Top): ((answered: unknown) => Response) => {
  const [status = 200] = [...endpoint.success].map(statusOfSuccess)
  const message = answerAt(endpoint, status)?.message ?? ""
  return (answered) =>
    HttpServerResponse.isHttpServerResponse(answered) ? answered : success(status, answered, message)
}

/**
 * A request of an endpoint, sent by the endpoint's `HttpApiClient` and not judged here. Made of the endpoint as it is, the
 * client would judge parameters and body before it sends them, in its own words and up to the first problem; and without the
 * schemas' checks it would still refuse a word that is none of a schema's literals. The service judges: its refusal with all
 * problems and its Request-Id is what the person reads. So the client is made of a view of the endpoint that has the
 * endpoint's method and path, and takes any parameters and any body.
 *
 * The response comes back unread. Read by the endpoint's schemas, the members of an answer would be in another order, those
 * that only a newer service has would be lost, and a refusal with a code of a newer service would be none.
 */
import { Effect, Schema, type Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApi, HttpApiClient, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CommandFailed } from "./CommandFailed.ts"

/** The parts of a request, without the types that the endpoint gives them. */
export interface RequestParts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: typeof anyQuery.Type
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: unknown
}

/** What of an endpoint is sent by. */
type Sendable = Pick<HttpApiEndpoint.Top, "identifier" | "method" | "path" | "payload">

/** The service, and what opens it. */
interface Destination {
  readonly baseUrl: string
  readonly token: Redacted.Redacted
}

const anyParams = Schema.Record(Schema.String, Schema.String)
const anyHeaders = Schema.Record(Schema.String, Schema.String)
const anyQuery = Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite, Schema.Array(Schema.String)]))

const group = "unjudged"

const unjudged = ({ identifier, method, path, payload }: Sendable) =>
  HttpApi.make(group).add(
    HttpApiGroup.make(group).add(
      HttpApiEndpoint.make(method)(identifier, path as `/${string}`, {
        params: anyParams,
        query: anyQuery,
        headers: anyHeaders,
        payload: payload.size === 0 ? undefined : Schema.Unknown
      })
    )
  )

/** Parts of a path that addresses leave out, on whichever side: they would ask for something else. */
const lostParts: ReadonlySet<string> = new Set(["", ".", ".."])

export const sendUnjudged = Effect.fnUntraced(function* (
  endpoint: Sendable,
  { baseUrl, token }: Destination,
  { headers = {}, params = {}, payload, query = {} }: RequestParts
) {
  const lost = Object.values(params).find((part) => lostParts.has(part))
  if (lost !== undefined) return yield* new CommandFailed({ message: `"${lost}" cannot be the name or id of anything` })
  const send = yield* HttpApiClient.endpoint(unjudged(endpoint), {
    group,
    endpoint: endpoint.identifier,
    baseUrl,
    httpClient: HttpClient.mapRequest(yield* HttpClient.HttpClient, HttpClientRequest.bearerToken(token))
  })
  return yield* send({ params, query, headers, payload, responseMode: "response-only" }).pipe(
    // The types know of no such error where the response is not read, but the request is encoded all the same.
    Effect.catchIf(Schema.isSchemaError, Effect.die)
  )
})

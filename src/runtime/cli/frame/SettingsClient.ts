/**
 * Requests to the settings API of a running service. Method, path, parameters, body and answer of a request are those of
 * the endpoint that the API's own description has under the given name; no command spells a path. What a person has typed
 * is sent as it is (`sendUnjudged.ts`), for the service to judge.
 */
import { type Brand, Context, Effect, Layer, Schema, type SchemaAST } from "effect"
import { FetchHttpClient, HttpClient, type HttpClientResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { settings } from "../../../http/api/settings.ts"
import { largestPageSize } from "../../../schema/decoding/parameters.ts"
import { uuid } from "../../../schema/uuid.ts"
import type { FieldError } from "../../../schema/problems.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { connection } from "./connection.ts"
import { cliLimits } from "./limits.ts"
import { companyNamed, journeyNamed } from "./names.ts"
import { sendUnjudged, type RequestParts } from "./sendUnjudged.ts"

type SettingsEndpoint =
  typeof settings extends HttpApiGroup.HttpApiGroup<infer _Id, infer Endpoints, infer _TopLevel> ? Endpoints : never

/** Looked up by name: to search the union of all endpoints for each call is what type checks spent a third of their time on. */
type EndpointsByName = { readonly [Endpoint in SettingsEndpoint as Endpoint["identifier"]]: Endpoint }

export type SettingsOperation = keyof EndpointsByName

type EndpointOf<Name extends SettingsOperation> = EndpointsByName[Name]

type PartsOf<Request, Part extends string> = Pick<Request, Extract<keyof Request, Part>>

/** The parts of a request that the endpoint names: `params` of the path, `query`, and `payload`, the body. `headers` may be left out. */
export type SettingsRequest<Name extends SettingsOperation> = AsTyped<
  PartsOf<EndpointOf<Name>["~Request"], "params" | "query" | "payload"> &
    Partial<PartsOf<EndpointOf<Name>["~Request"], "headers">>
>

/** A request as a person types it: an id is any text until the service has judged it. */
type AsTyped<A> = A extends string & Brand.Brand<string>
  ? string
  : A extends object
    ? { readonly [Member in keyof A]: AsTyped<A[Member]> }
    : A

/** `data` of the answer. */
export type SettingsData<Name extends SettingsOperation> = EndpointOf<Name>["~Success"]["Type"] extends {
  readonly data: infer Data
}
  ? Data
  : never

export class SettingsClient extends Context.Service<
  SettingsClient,
  {
    readonly call: <Name extends SettingsOperation>(
      name: Name,
      request: SettingsRequest<Name>
    ) => Effect.Effect<SettingsData<Name>, CommandFailed>
  }
>()("journeys/runtime/cli/SettingsClient") {}

const endpoints: Readonly<Record<string, HttpApiEndpoint.Top>> = settings.endpoints

/** The parameters of the operation's query. */
export const queryOf = (name: SettingsOperation): ReadonlyArray<SchemaAST.PropertySignature> => {
  const ast = endpoints[name]?.query?.ast
  return ast?._tag === "Objects" ? ast.propertySignatures : []
}

const isId = (text: string): boolean => uuid.test(text.toLowerCase())

const failed = (message: string) => new CommandFailed({ message })

/** Whether a body names nothing; a list without entries is a value. */
const namesNothing = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(namesNothing))

/** Codes of a newer service are shown as they come, so a refusal is read loosely. */
const isRefusal = Schema.is(
  Schema.Struct({
    success: Schema.Literal(false),
    errors: Schema.NullOr(
      Schema.Array(Schema.Struct({ field: Schema.String, code: Schema.String, message: Schema.String }))
    )
  })
)

const refusedBy = ({ headers, status }: HttpClientResponse.HttpClientResponse, problems: unknown): CommandFailed => {
  const errors = (problems ?? []) as ReadonlyArray<FieldError>
  const requestId = headers["request-id"] ?? "unknown"
  return new CommandFailed({
    message: errors[0]?.message ?? "the service refused",
    refusal: { status, errors, requestId }
  })
}

/** Reads `data` of the answer, in the order in which the service has written it. */
const dataOf = Effect.fnUntraced(function* (
  endpoint: HttpApiEndpoint.Top,
  baseUrl: string,
  response: HttpClientResponse.HttpClientResponse
) {
  const stranger = failed(`what answers at ${baseUrl} is not this service, or another version of it`)
  // The body that does not come whole is no answer: that error goes on to `call`.
  const json = yield* Effect.catchReason(response.json, "HttpClientError", "DecodeError", () => Effect.fail(stranger))
  if (isRefusal(json)) return yield* refusedBy(response, json.errors)
  if (![...endpoint.success].some((schema) => Schema.is(schema)(json))) return yield* stranger
  return (json as { readonly data: unknown }).data
})

export const layer = Layer.effect(
  SettingsClient,
  Effect.gen(function* () {
    const httpClient = yield* HttpClient.HttpClient
    // Looked for when the first request needs it: help and mistakes in a command need no service.
    const connected = yield* Effect.cached(connection)

    const answerOf = Effect.fnUntraced(function* (name: string, parts: RequestParts) {
      const endpoint = endpoints[name]
      if (endpoint === undefined) return yield* Effect.die(new Error(`the settings API has no ${name}`))
      // A script that lost its values must not take the answer for a change.
      if (endpoint.method === "PATCH" && namesNothing(parts.payload)) {
        return yield* failed("nothing is named that should change; --help lists what can be named")
      }
      const { baseUrl, operatorToken } = yield* connected
      return yield* sendUnjudged(endpoint, { baseUrl, token: operatorToken }, parts).pipe(
        Effect.provideService(HttpClient.HttpClient, httpClient),
        Effect.flatMap((response) => dataOf(endpoint, baseUrl, response)),
        // The body, too: its beginning alone is no answer.
        Effect.timeout(cliLimits.answerWithin),
        Effect.mapError((error) =>
          error._tag === "CommandFailed"
            ? error
            : failed(
                `the service does not answer at ${baseUrl}; is it running (npm start), and at this address (BASE_URL, else HOST and PORT)?`
              )
        )
      )
    })

    /** The endpoint of the name has judged the answer. */
    const call = <Name extends SettingsOperation>(name: Name, parts: RequestParts) =>
      answerOf(name, parts) as Effect.Effect<SettingsData<Name>, CommandFailed>

    const companyIn = (name: string) =>
      companyNamed(name, (page) => call("listCompanies", { query: { page, size: largestPageSize } }))

    const journeyIn = (companyId: string, name: string) =>
      journeyNamed(name, (search, after) =>
        // What is personal goes into the body.
        call("searchJourneys", {
          params: { companyId },
          payload: { search, size: largestPageSize, ...(after !== undefined && { after }) }
        })
      )

    /** A person may name the company of a path by its name, and a journey of the company by what its list is searched for. */
    const withIds = Effect.fnUntraced(function* (name: string, parts: RequestParts) {
      const { companyId: company, journeyId: journey } = parts.params ?? {}
      if (company === undefined) return parts
      const companyId = isId(company) ? company : yield* companyIn(company)
      const isOwn = endpoints[name]?.path.includes("/journeys/:journeyId") === true
      const journeyId =
        journey === undefined || isId(journey) || !isOwn ? journey : yield* journeyIn(companyId, journey)
      return { ...parts, params: { ...parts.params, companyId, ...(journeyId !== undefined && { journeyId }) } }
    })

    return SettingsClient.of({
      // The service judges what is sent.
      call: <Name extends SettingsOperation>(name: Name, request: SettingsRequest<Name>) =>
        Effect.flatMap(withIds(name, request as RequestParts), (parts) => call(name, parts))
    })
  })
).pipe(Layer.provide(FetchHttpClient.layer))

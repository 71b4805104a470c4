/**
 * What a request asks of an endpoint: its path, its query and its body, each decoded by the schema of the endpoint when
 * the handler asks for it. A handler asks in the order in which problems must be told (decisions V15 and V16): a body is
 * judged only after what the path names is found. Who is asking is decided before, in `serve.ts`.
 */
import { Clock, Context, Effect, Schema, SchemaAST } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { bodyDecoder } from "../../../schema/decoding/bodyDecoder.ts"
import { inForm, unknownPart } from "../../../schema/decoding/parameters.ts"
import { hasBody, readJson } from "../bodies/body.ts"
import { LargestJson, OptionalBody } from "./described.ts"
import { ProviderAddresses } from "../callers/operator.ts"
import { orProblems, problem, type Problem } from "../answers/problems.ts"
import { queryDecoder, refuseParameters } from "./query.ts"

type Request = HttpServerRequest.HttpServerRequest

/** A part of what the type of an endpoint says about its requests. */
type Part<E extends HttpApiEndpoint.Constraint, Name extends string> =
  E["~Request"] extends Readonly<Record<Name, infer A>> ? A : never

export interface Asked<E extends HttpApiEndpoint.Constraint, Who> {
  readonly request: Request
  /** The caller; null where the endpoint is not for API keys. */
  readonly caller: Who
  /** A parameter of the path. */
  readonly path: <Name extends keyof Part<E, "params"> & string>(
    name: Name
  ) => Effect.Effect<Part<E, "params">[Name], Problem, HttpRouter.RouteContext>
  readonly query: Effect.Effect<Part<E, "query">, Problem>
  /** The JSON body. A body of several forms is read by its handler. */
  readonly body: Effect.Effect<Part<E, "payload">, Problem, ProviderAddresses>
}

/** Where the parts of a request come from: from the wire, or from a page of the console that asks in this process. */
export interface Parts {
  readonly params: Effect.Effect<Readonly<Record<string, string | undefined>>, never, HttpRouter.RouteContext>
  /** A URL with the query. */
  readonly url: string
  /** The body as JSON, undecoded. */
  readonly json: (largestJson?: number) => Effect.Effect<unknown, Problem>
}

const partsOf = (request: Request, isOptional: boolean): Parts => ({
  params: HttpRouter.params,
  url: request.url,
  json: (largestJson) =>
    isOptional && !hasBody(request)
      ? Effect.succeed({})
      : Effect.map(readJson(request, largestJson), ({ json }) => json)
})

/** Makes the decoders of an endpoint, once. */
export const askedOf = <E extends HttpApiEndpoint.Top>(endpoint: E) => {
  const path = new Map(membersOf(endpoint.params).map(({ name, type }) => [String(name), partDecoder(name, type)]))
  const query = endpoint.query === undefined ? null : queryDecoder(endpoint.query)
  const body = jsonDecoder(endpoint)
  const largestJson = Context.getOrUndefined(endpoint.annotations, LargestJson)
  const isOptional = Context.getOrUndefined(endpoint.annotations, OptionalBody) ?? false
  return <Who>(request: Request, caller: Who, parts: Parts = partsOf(request, isOptional)): Asked<E, Who> => {
    const asked = {
      request,
      caller,
      path: (name: string) =>
        Effect.flatMap(parts.params, (params) => path.get(name)?.(params[name] ?? "") ?? undescribed),
      get query() {
        return query === null ? undescribed : Effect.suspend(() => orProblems(query(parts.url)))
      },
      get body() {
        if (body === null) return undescribed
        const read = Effect.flatMap(parts.json(largestJson), body)
        return query === null ? Effect.andThen(refuseParameters(parts.url), read) : read
      }
    }
    // The schemas of the endpoint make what its type says.
    return asked as unknown as Asked<E, Who>
  }
}

const undescribed = Effect.die(new Error("The endpoint does not describe this part of its requests"))

const membersOf = (schema: Schema.Top | undefined) => {
  const ast = schema === undefined ? undefined : SchemaAST.toType(schema.ast)
  return ast?._tag === "Objects" ? ast.propertySignatures : []
}

type DecodePart = (text: string) => Effect.Effect<unknown, Problem>

/** A part that names something is unknown when it is malformed; any other part breaks a rule. */
const partDecoder = (name: PropertyKey, ast: SchemaAST.AST): DecodePart => {
  const schema = Schema.make<Schema.Codec<unknown>>(ast)
  const unknown = unknownPart(schema)
  if (unknown === undefined) {
    const decode = bodyDecoder<{ readonly [name: PropertyKey]: unknown }>(Schema.Struct({ [name]: schema }))
    return (text) =>
      Effect.map(orProblems(decode({ [name]: text }, { now: 0, allowInsecure: false })), (part) => part[name])
  }
  const { code, field, message } = unknown
  const bring = inForm(schema)
  const isKnown = Schema.is(schema)
  return (text) => {
    const part = bring(text)
    return isKnown(part) ? Effect.succeed(part) : Effect.fail(problem(code, field, message))
  }
}

const jsonDecoder = (endpoint: HttpApiEndpoint.Top) => {
  const decode = bodyDecoderOf(endpoint)
  return (
    decode &&
    ((json: unknown) =>
      Effect.flatMap(ProviderAddresses, ({ allowInsecure }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => orProblems(decode(json, { now, allowInsecure })))
      ))
  )
}

/** Bodies are JSON already, so the type's side of the schema decodes them. Null where an endpoint takes no body of one form. */
export const bodyDecoderOf = ({ method, payload }: Pick<HttpApiEndpoint.Top, "method" | "payload">) => {
  const schemas = payload.get("application/json")?.schemas
  if (schemas === undefined || payload.size > 1) return null
  return bodyDecoder(Schema.make<Schema.Codec<unknown>>(SchemaAST.toType(schemas[0].ast)), {
    isChange: method === "PATCH"
  })
}

/**
 * Asks an operation of the settings API within this process, as the pages of the console do: the same roles, the same decoding
 * of path, query and body, the same handler and the same line in the audit log as over the wire. A page therefore has no rules
 * of its own.
 */
import { Context, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { CurrentWorkFor } from "../../../actors/kernel/WorkFor.ts"
import { parseStrictJson } from "../../../schema/decoding/strictJson.ts"
import type { HandlerFailure } from "../answers/answering.ts"
import { Asker, permitted } from "./Asker.ts"
import { askedOf, type Parts } from "./asked.ts"
import { inListPlace } from "../admission/ListPlaces.ts"
import { orProblems } from "../answers/problems.ts"
import type { DataOf } from "./serve.ts"
import { workOf } from "./settingsGate.ts"

type Response = HttpServerResponse.HttpServerResponse
type AnyHandler = (asked: never) => Effect.Effect<unknown, HandlerFailure, unknown>

interface Resource {
  readonly endpoints: ReadonlyArray<HttpApiEndpoint.Constraint>
  readonly handlers: Readonly<Record<string, AnyHandler>>
}

type NameOf<All extends Resource> = keyof All["handlers"] & string
type EndpointOf<All extends Resource, Name> = Extract<All["endpoints"][number], { readonly identifier: Name }>
type ServicesOf<Handler> = Handler extends (asked: never) => Effect.Effect<unknown, HandlerFailure, infer R> ? R : never

type Asking<A, All extends Resource, Name extends NameOf<All>> = Effect.Effect<
  A,
  HandlerFailure,
  ServicesOf<All["handlers"][Name]> | Asker | HttpServerRequest.HttpServerRequest
>

/** What a page asks with. A member that is undefined, or of a query an empty text, is as good as not given. */
export interface Question {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  /** The same for each time that one form is sent: what the operation does once under an Idempotency-Key, the form does once. */
  readonly idempotencyKey?: string
}

/** What stands in a page's question for the header Idempotency-Key. Null: over the wire, and of a page that has none. */
export const KeyOfPage = Context.Reference<string | null>("journeys/http/KeyOfPage", { defaultValue: () => null })

const urlOf = (query: Question["query"] = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "")
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`
}

/** The same JSON that a caller would send: judged by the same rules. */
const partsOf = ({ body, path = {}, query }: Question): Parts => ({
  params: Effect.succeed(path),
  url: urlOf(query),
  json: () => orProblems(parseStrictJson(Buffer.from(JSON.stringify(body ?? {}))))
})

const decoders = new WeakMap<object, ReturnType<typeof askedOf>>()

const decoderOf = (endpoint: HttpApiEndpoint.Top) => {
  const known = decoders.get(endpoint)
  if (known !== undefined) return known
  const made = askedOf(endpoint)
  decoders.set(endpoint, made)
  return made
}

/** The answer as the operation gives it: data, or a response with bytes or an envelope. */
const answered = <All extends Resource, Name extends NameOf<All>>(
  { endpoints, handlers }: All,
  name: Name,
  question: Question
): Asking<unknown, All, Name> => {
  // The names of the handlers are the names of the endpoints (`serve.ts`).
  const endpoint = endpoints.find(({ identifier }) => identifier === name) as unknown as HttpApiEndpoint.Top
  const asking = Effect.gen(function* () {
    const asker = yield* Asker
    yield* permitted(endpoint, asker, question.path?.["companyId"] ?? null)
    const request = yield* HttpServerRequest.HttpServerRequest
    const handled = handlers[name]!(decoderOf(endpoint)(request, null, partsOf(question)) as never)
    return yield* inListPlace(endpoint, handled).pipe(
      Effect.provideService(KeyOfPage, question.idempotencyKey ?? null),
      Effect.provideService(CurrentWorkFor, workOf(asker))
    )
  })
  return asking as Asking<unknown, All, Name>
}

const dataOf = (answer: unknown): unknown => {
  if (!HttpServerResponse.isHttpServerResponse(answer)) return answer
  const { body } = answer
  // The envelope is made of text (`problems.ts`).
  if (body._tag !== "Uint8Array" || body.text === undefined) {
    throw new Error("the answer of the operation is no envelope")
  }
  return (JSON.parse(body.text) as { readonly data: unknown }).data
}

/** The data that the operation answers with; its problems are the failure. */
export const ask = <All extends Resource, Name extends NameOf<All>>(
  resource: All,
  name: Name,
  question: Question = {}
): Asking<DataOf<EndpointOf<All, Name>>, All, Name> =>
  Effect.map(answered(resource, name, question), dataOf) as Asking<DataOf<EndpointOf<All, Name>>, All, Name>

/** The response of an operation that answers with bytes: a photo or a video. */
export const askRaw = <All extends Resource, Name extends NameOf<All>>(
  resource: All,
  name: Name,
  question: Question = {}
): Asking<Response, All, Name> =>
  Effect.map(answered(resource, name, question), (answer) => {
    if (!HttpServerResponse.isHttpServerResponse(answer)) throw new Error("the operation answers with data")
    return answer
  })

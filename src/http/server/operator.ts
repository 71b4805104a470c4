/**
 * An endpoint of the settings API: transport first, then the operator's token, then the work. The token is compared in
 * constant time; a wrong one counts against its address like a wrong API key does. An operator may do everything.
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Clock, Context, Effect, type Result } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import type { FieldError } from "../../schema/problems.ts"
import type { RequestFacts } from "../../schema/decoding.ts"
import { bearerToken, refuse } from "./authentication.ts"
import { largestJsonBytes, readJson, refuseAnnouncedSize, refuseOtherThanJson } from "./body.ts"
import type { Failure } from "./answering.ts"
import { orProblems, problemResponse, type Problem } from "./problems.ts"
import type { RateLimiter } from "./RateLimiter.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Who may change settings. Only a hash is kept, and compared: equal in length whatever is presented. */
export class Operator extends Context.Service<Operator, { readonly tokenHash: Uint8Array }>()(
  "journeys/http/Operator"
) {}

/** What providers' addresses may look like; plain http is for development only. */
export class ProviderAddresses extends Context.Service<ProviderAddresses, { readonly allowInsecure: boolean }>()(
  "journeys/http/ProviderAddresses"
) {}

/** How the audit log names whoever holds the token. */
export const operatorActor = "operator"

export const hashToken = (token: string): Uint8Array => createHash("sha256").update(token).digest()

const authenticateOperator = Effect.fnUntraced(function* (request: IncomingMessage) {
  const { tokenHash } = yield* Operator
  if (timingSafeEqual(hashToken(bearerToken(request) ?? ""), tokenHash)) return
  return yield* refuse(request, "INVALID_API_KEY", "The operator token is missing or wrong")
})

/** Judges the body's type and size, then the token. */
export const operatorGate =
  <R>(
    judgeTransport: (request: Request) => Effect.Effect<void, Problem>,
    handle: (request: Request) => Effect.Effect<Response, Failure, R>
  ) =>
  (request: Request): Effect.Effect<Response, Failure, R | Operator | RateLimiter> =>
    Effect.andThen(
      judgeTransport(request),
      Effect.matchEffect(authenticateOperator(NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage), {
        onFailure: ({ headers, problem }) =>
          Effect.succeed(HttpServerResponse.setHeaders(problemResponse(problem), headers)),
        onSuccess: () => handle(request)
      })
    )

/** An endpoint whose body, if it has one, is not read. */
export const operatorEndpoint = <R>(handle: (request: Request) => Effect.Effect<Response, Failure, R>) =>
  operatorGate(() => Effect.void, handle)

/** An endpoint with a JSON body. */
export const operatorBodyEndpoint = <R>(handle: (request: Request) => Effect.Effect<Response, Failure, R>) =>
  operatorGate(
    (request) => Effect.andThen(refuseOtherThanJson(request), refuseAnnouncedSize(request, largestJsonBytes)),
    handle
  )

/** The body as its decoder reads it. */
export const decoded = Effect.fnUntraced(function* <A>(
  request: Request,
  decode: (body: unknown, facts: RequestFacts) => Result.Result<A, ReadonlyArray<FieldError>>
): Effect.fn.Return<A, Problem, ProviderAddresses> {
  const json = yield* readJson(request)
  const now = yield* Clock.currentTimeMillis
  const { allowInsecure } = yield* ProviderAddresses
  return yield* orProblems(decode(json, { now, allowInsecure }))
})

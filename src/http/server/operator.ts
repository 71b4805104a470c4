/**
 * The operator of this installation: whoever presents the operator token. The token is compared in constant time, and a wrong
 * token counts against its address as a wrong API key does. Who else may use the settings API is said in `settingsGate.ts`.
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Context, Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { bearerToken, refuse } from "./authentication.ts"
import type { HandlerFailure } from "./answering.ts"
import { problemResponse, type Problem } from "./problems.ts"
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

export const hashToken = (token: string): Uint8Array => createHash("sha256").update(token).digest()

/** Whether the text is the operator token. */
export const isOperatorToken = (text: string): Effect.Effect<boolean, never, Operator> =>
  Effect.map(Operator, ({ tokenHash }) => timingSafeEqual(hashToken(text), tokenHash))

export const authenticateOperator = Effect.fnUntraced(function* (request: IncomingMessage) {
  if (yield* isOperatorToken(bearerToken(request) ?? "")) return
  return yield* refuse(request, "INVALID_API_KEY", "The operator token is missing or wrong")
})

/** Judges the body's type and size, then the token. */
export const operatorGate =
  <R>(
    judgeTransport: (request: Request) => Effect.Effect<void, Problem>,
    handle: (request: Request) => Effect.Effect<Response, HandlerFailure, R>
  ) =>
  (request: Request): Effect.Effect<Response, HandlerFailure, R | Operator | RateLimiter> =>
    Effect.andThen(
      judgeTransport(request),
      Effect.matchEffect(authenticateOperator(NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage), {
        onFailure: ({ headers, problem }) =>
          Effect.succeed(HttpServerResponse.setHeaders(problemResponse(problem), headers)),
        onSuccess: () => handle(request)
      })
    )

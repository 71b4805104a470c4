/**
 * The operator of this installation: whoever presents the root token of `OPERATOR_TOKEN`, or a named token. The root token is
 * compared in constant time; of named tokens the database keeps hashes. Whoever guesses is locked out with their address: for a
 * minute after that no token is taken from there, not even a right one. What a named token may do is said in `operatorScope.ts`,
 * and who else may use the settings API in `settingsGate.ts`.
 */
import { Context, Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { incomingMessage } from "../incomingMessage.ts"
import { hashOperatorToken, isOperatorTokenText } from "../../../actors/installation/operatorToken.ts"
import { OperatorTokens, type SignedInOperator } from "../../../actors/installation/OperatorTokens.ts"
import type { OperatorScope } from "../../../schema/installation/OperatorToken.ts"
import { bearerToken, refuse, refuseGuess, refuseGuesser } from "./authentication.ts"
import type { HandlerFailure } from "../answers/answering.ts"
import { withinScopes } from "./operatorScope.ts"
import { problemResponse, unavailable, type Problem } from "../answers/problems.ts"
import type { RateLimiter } from "../admission/RateLimiter.ts"

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

/** Whose token the text is; null: nobody's. */
const operatorOf = Effect.fnUntraced(function* (text: string) {
  const { tokenHash } = yield* Operator
  if (timingSafeEqual(hashToken(text), tokenHash)) return { _tag: "Operator", token: null } as const
  if (!isOperatorTokenText(text)) return null
  const tokens = yield* OperatorTokens
  const token = yield* tokens.find(hashOperatorToken(text))
  return token === null ? null : ({ _tag: "Operator", token } as const)
})

/** Judges the text of a token that came from this address. Who guesses is refused whatever the text is. */
export const judgeOperatorToken = Effect.fnUntraced(function* (request: IncomingMessage, text: string) {
  yield* refuseGuesser(request)
  const known: SignedInOperator | null = yield* Effect.mapError(operatorOf(text), () => ({
    problem: unavailable(),
    headers: {}
  }))
  return known ?? (yield* refuseGuess(request))
})

const noToken = "The request has no operator token: send it in the header Authorization: Bearer ..."
const companyKey = "This takes the operator's token, and not the API key of a company"

const isApiKey = (text: string): boolean => /^svc_(live|test)_/.test(text)

export const authenticateOperator = Effect.fnUntraced(function* (request: IncomingMessage) {
  const text = bearerToken(request)
  // A request without a token, or with a company's key, is a mistake and no guess.
  if (text === null || isApiKey(text)) {
    return yield* refuse(request, "INVALID_API_KEY", text === null ? noToken : companyKey)
  }
  return yield* judgeOperatorToken(request, text)
})

/** Judges the body's type and size, then the token and whether the token has the scope. */
export const operatorGate =
  <R>(
    scope: OperatorScope,
    judgeTransport: (request: Request) => Effect.Effect<void, Problem>,
    handle: (request: Request) => Effect.Effect<Response, HandlerFailure, R>
  ) =>
  (request: Request): Effect.Effect<Response, HandlerFailure, R | Operator | OperatorTokens | RateLimiter> =>
    Effect.andThen(
      judgeTransport(request),
      Effect.matchEffect(authenticateOperator(incomingMessage(request)), {
        onFailure: ({ headers, problem }) =>
          Effect.succeed(HttpServerResponse.setHeaders(problemResponse(problem), headers)),
        onSuccess: ({ token }) =>
          Effect.andThen(token === null ? Effect.void : withinScopes(token, scope), handle(request))
      })
    )

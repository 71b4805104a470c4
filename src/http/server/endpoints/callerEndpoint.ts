/**
 * The order of checks for callers with an API key (decision V15, steps 1 to 4): the body's type and size first, then the
 * key, then the handler, in its turn (`RequestTurns.ts`). Every answer, a refusal too, has the headers of the rate limit.
 */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { incomingMessage } from "../incomingMessage.ts"
import { CurrentWorkFor } from "../../../actors/kernel/WorkFor.ts"
import type { RequestLog } from "../../../actors/company/RequestLog.ts"
import type { Keyring } from "../../../actors/company/Keyring.ts"
import { authenticate, type Caller, type Permission, type RateLimit } from "../callers/authentication.ts"
import type { HandlerFailure } from "../answers/answering.ts"
import { problemResponse, Problem, type Problem as AnyProblem } from "../answers/problems.ts"
import type { RateLimiter } from "../admission/RateLimiter.ts"
import { noted } from "./requestLine.ts"
import { takeTurnOf } from "../admission/RequestTurns.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

export const callerEndpoint =
  <R>(
    route: string,
    permission: Permission,
    judgeTransport: (request: Request) => Effect.Effect<void, AnyProblem>,
    handle: (request: Request, caller: Caller) => Effect.Effect<Response, HandlerFailure, R>
  ) =>
  (request: Request): Effect.Effect<Response, HandlerFailure, R | Keyring | RateLimiter | RateLimit | RequestLog> =>
    noted(route, request, (notes) =>
      Effect.matchEffect(authenticated(request, permission, judgeTransport), {
        onFailure: ({ headers, key = null, problem }) => {
          notes.key = key
          notes.errors = problem.errors
          return Effect.succeed(HttpServerResponse.setHeaders(problemResponse(problem), headers))
        },
        onSuccess: ({ caller, headers }) => {
          notes.key = caller.key
          const answer = Effect.andThen(takeTurnOf(request), handle(request, caller))
          return Effect.matchEffect(Effect.provideService(answer, CurrentWorkFor, workOf(caller)), {
            onFailure: (failure) => {
              if (!(failure instanceof Problem)) return Effect.fail(failure)
              notes.errors = failure.errors
              return Effect.succeed(HttpServerResponse.setHeaders(problemResponse(failure), headers))
            },
            onSuccess: (response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers))
          })
        }
      })
    )

const workOf = ({ key }: Caller) => ({ companyId: key.company.id, livemode: key.livemode, who: key.keyId })

/** A request refused for its size or type is counted like any other, if it has a key. */
const authenticated = (
  request: Request,
  permission: Permission,
  judgeTransport: (request: Request) => Effect.Effect<void, AnyProblem>
) => {
  const judged = judgeTransport(request)
  const who = authenticate(incomingMessage(request), permission)
  // Nothing is wrong with most requests.
  if (judged === Effect.void) return who
  return Effect.flatMap(Effect.result(judged), (transport) =>
    Effect.matchEffect(who, {
      onFailure: (refusal) =>
        Effect.fail(transport._tag === "Failure" ? { ...refusal, problem: transport.failure } : refusal),
      onSuccess: (known) =>
        transport._tag === "Failure"
          ? Effect.fail({ problem: transport.failure, headers: known.headers, key: known.caller.key })
          : Effect.succeed(known)
    })
  )
}

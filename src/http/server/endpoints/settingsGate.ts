/**
 * Who may use the settings API: whoever presents a token of the operator, or a browser in which somebody is signed in to the
 * console. A request that brings an Authorization header is judged by the header alone. A browser sends its cookie whoever
 * made the page, so a request that changes something must come from one of our own pages and bring the token of the session.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse, type HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { incomingMessage } from "../incomingMessage.ts"
import { CurrentWorkFor, type WorkFor } from "../../../actors/kernel/WorkFor.ts"
import { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import type { HandlerFailure } from "../answers/answering.ts"
import { Asker, permitted, type AskerIdentity } from "./Asker.ts"
import { refuse, type RefusedCaller } from "../callers/authentication.ts"
import { readCookie } from "../answers/cookies.ts"
import { refuseForeign, refuseWithoutToken } from "../callers/forgery.ts"
import { authenticateOperator } from "../callers/operator.ts"
import { problem, problemResponse, unavailable, type Problem } from "../answers/problems.ts"
import { isChange, takeTurnOf } from "../admission/RequestTurns.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const refused = (failure: Problem): RefusedCaller => ({ problem: failure, headers: {} })

/** The header in which a page's script sends the token of its session. */
export const formTokenHeader = "x-form-token"

const refuseForged = (request: Request, secret: string) =>
  isChange(request)
    ? Effect.andThen(
        refuseForeign(request),
        refuseWithoutToken(request, secret, request.headers[formTokenHeader] ?? null)
      ).pipe(Effect.mapError(() => refused(problem("REQUEST_FORGED", "token"))))
    : Effect.void

const authenticateAsker = Effect.fnUntraced(function* (request: Request) {
  const secret = request.headers["authorization"] === undefined ? yield* readCookie(request, "console") : null
  if (secret === null) return yield* authenticateOperator(incomingMessage(request))
  const sessions = yield* ConsoleSessions
  const session = yield* Effect.mapError(sessions.find(secret), () => refused(unavailable()))
  if (session === null || session.waitsFor !== null) {
    return yield* refuse(incomingMessage(request), "INVALID_API_KEY", "Nobody is signed in, or the session has ended")
  }
  yield* refuseForged(request, secret)
  return session.who
})

/** For whom the work of an asker is done. */
export const workOf = (asker: AskerIdentity): WorkFor =>
  asker._tag === "Operator"
    ? { companyId: "operator", livemode: true, who: "operator" }
    : { companyId: asker.companyId, livemode: true, who: asker.memberId }

/** Judges the body's type and size, then who asks, then what the asker may ask. The operation learns who asks. */
export const settingsGate = <R>(
  endpoint: HttpApiEndpoint.Top,
  judgeTransport: (request: Request) => Effect.Effect<void, Problem>,
  handle: (request: Request) => Effect.Effect<Response, HandlerFailure, R>
) => {
  const handleAs = (request: Request, asker: AskerIdentity) =>
    HttpRouter.params.pipe(
      Effect.flatMap(({ companyId }) => permitted(endpoint, asker, companyId ?? null)),
      Effect.andThen(takeTurnOf(request)),
      Effect.andThen(handle(request)),
      Effect.provideService(Asker, asker),
      Effect.provideService(CurrentWorkFor, workOf(asker))
    )
  return (request: Request) =>
    Effect.andThen(
      judgeTransport(request),
      Effect.matchEffect(authenticateAsker(request), {
        onFailure: ({ headers, problem: failure }) =>
          Effect.succeed(HttpServerResponse.setHeaders(problemResponse(failure), headers)),
        onSuccess: (asker) => handleAs(request, asker)
      })
    )
}

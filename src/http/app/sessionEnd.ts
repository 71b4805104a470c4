/**
 * When a customer's session ends, for the script of every page: to ask is no use of the session, to prolong the session is. The answers
 * are small JSON for that script alone and no part of the REST API.
 */
import { Clock, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Sessions, type Session } from "../../actors/customer/Sessions.ts"
import { readCookie } from "../server/cookies.ts"
import { refuseForeign, refuseWithoutToken } from "../server/forgery.ts"
import { appRoute } from "./appRoute.ts"
import { sessionPath } from "./sessionNote.ts"
import { scriptAnswer } from "./uploadRoutes.ts"

type Request = HttpServerRequest.HttpServerRequest

/** `isLast`: to use the session prolongs it no more. */
const endOf = ({ endsAt, lastsUntil }: Session) =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    scriptAnswer("DONE", { secondsLeft: Math.max(0, Math.floor((endsAt - now) / 1000)), isLast: endsAt >= lastsUntil })
  )

const answered = Effect.fnUntraced(function* (secret: string | null, isUse: boolean) {
  const sessions = yield* Sessions
  const session = secret === null ? null : yield* sessions.find(secret, isUse)
  return session === null ? scriptAnswer("NOT_ALLOWED") : yield* endOf(session)
})

const ask = (request: Request) => Effect.flatMap(readCookie(request, "session"), (secret) => answered(secret, false))

const prolong = Effect.fnUntraced(
  function* (request: Request) {
    yield* refuseForeign(request)
    const secret = yield* readCookie(request, "session")
    yield* refuseWithoutToken(request, secret, request.headers["x-form-token"] ?? null)
    return yield* answered(secret, true)
  },
  (answer) => Effect.catchTag(answer, "Forged", () => Effect.succeed(scriptAnswer("NOT_ALLOWED")))
)

export const sessionEndRoutes = [appRoute("GET", sessionPath, ask), appRoute("POST", sessionPath, prolong)] as const

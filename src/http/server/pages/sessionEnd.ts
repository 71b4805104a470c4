/**
 * When a session ends, for the script of every page of somebody who is signed in: to ask is no use of the session, to prolong the
 * session is. A customer and somebody at the console are asked about in the same way; the store of the sessions differs.
 */
import { Clock, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { HandlerFailure } from "../answers/answering.ts"
import { readCookie } from "../answers/cookies.ts"
import { hasToken, refuseForeign, refuseWithoutToken } from "../callers/forgery.ts"
import { scriptAnswer } from "./scriptAnswer.ts"
import { formTokenHeader } from "../endpoints/settingsGate.ts"

type Request = HttpServerRequest.HttpServerRequest

interface SessionEnd {
  /** When the session ends unless it is used, in epoch milliseconds. */
  readonly endsAt: number
  /** When it ends however much it is used. */
  readonly lastsUntil: number
  /** What the sign-in still lacks: only the pages that ask for it know of the session. */
  readonly waitsFor?: string | null
}

interface Asked<R> {
  readonly path: `/${string}`
  readonly cookie: "session" | "console"
  /** The open session of a secret; null: there is none. */
  readonly find: (secret: string, isUse: boolean) => Effect.Effect<SessionEnd | null, HandlerFailure, R>
}

/** `isLast`: to use the session prolongs it no more. */
const endOf = ({ endsAt, lastsUntil }: SessionEnd) =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    scriptAnswer("DONE", { secondsLeft: Math.max(0, Math.floor((endsAt - now) / 1000)), isLast: endsAt >= lastsUntil })
  )

/** Of the page that asks. A script that says none asks for whoever is signed in. */
const tokenOf = ({ headers }: Request): string | null => headers[formTokenHeader] ?? null

export const sessionEndRoutesOf = <R>({ cookie, find, path }: Asked<R>) => {
  const answered = Effect.fnUntraced(function* (request: Request, secret: string | null, isUse: boolean) {
    const session = secret === null ? null : yield* find(secret, isUse)
    if (session === null) return scriptAnswer("NOT_ALLOWED")
    const token = tokenOf(request)
    if (hasToken(secret, token)) return yield* endOf(session)
    if (session.waitsFor != null) return scriptAnswer("NOT_ALLOWED")
    return token === null ? yield* endOf(session) : scriptAnswer("ANOTHER_SESSION")
  })
  const ask = (request: Request) =>
    Effect.flatMap(readCookie(request, cookie), (secret) => answered(request, secret, false))
  /** The page of another session prolongs nothing, and is told so as it is when it asks. */
  const prolong = Effect.fnUntraced(
    function* (request: Request) {
      yield* refuseForeign(request)
      const secret = yield* readCookie(request, cookie)
      const token = tokenOf(request)
      if (token === null) yield* refuseWithoutToken(request, secret, token)
      return yield* answered(request, secret, hasToken(secret, token))
    },
    (answer) => Effect.catchTag(answer, "Forged", () => Effect.succeed(scriptAnswer("NOT_ALLOWED")))
  )
  return [
    { method: "GET", path, handle: ask },
    { method: "POST", path, handle: prolong }
  ] as const
}

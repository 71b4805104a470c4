/**
 * Signing out of the console: the session ends for every browser that has its cookie. Whoever has not finished to sign in may do so
 * too: the passkey is at home, or the computer is somebody else's.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import { dropCookie, readCookie, withoutStored } from "../../server/answers/cookies.ts"
import { seeOther, signInPath, consoleSignOutPath } from "../frame/consoleFrame.ts"
import { consoleForm } from "../frame/consolePage.ts"
import { withFlash } from "../frame/flash.ts"
import { unfinishedForm } from "./unfinishedUser.ts"

type Request = HttpServerRequest.HttpServerRequest

const signedOut = Effect.gen(function* () {
  const response = yield* withFlash(seeOther(signInPath), { sentence: "You are signed out." })
  return yield* dropCookie(withoutStored(response), "console")
})

const signOut = ({ secret }: { readonly secret: string }) =>
  Effect.gen(function* () {
    const sessions = yield* ConsoleSessions
    yield* sessions.end(secret)
    return yield* signedOut
  })

const sessionOf = Effect.fnUntraced(function* (request: Request) {
  const secret = yield* readCookie(request, "console")
  const sessions = yield* ConsoleSessions
  return secret === null ? null : yield* sessions.find(secret, false)
})

const [ofUnfinished, ofUser] = [unfinishedForm(signOut), consoleForm(signOut)]

export const signOutRoutes = [
  {
    method: "POST",
    path: consoleSignOutPath,
    handle: (request: Request) =>
      Effect.flatMap(sessionOf(request), (session) => {
        // Whoever wants to be signed out, and is, has nothing to sign in for.
        if (session === null) return signedOut
        return session.waitsFor === null ? ofUser(request) : ofUnfinished(request)
      })
  }
] as const

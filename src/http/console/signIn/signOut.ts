/**
 * Signing out of the console: the session ends for every browser that has its cookie. Whoever has not finished to sign in may do so
 * too: the passkey is at home, or the computer is somebody else's.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import { dropCookie, readCookie, withoutStored } from "../../server/cookies.ts"
import { seeOther, signInPath, consoleSignOutPath } from "../frame/consoleFrame.ts"
import { consoleForm } from "../frame/consolePage.ts"
import { withFlash } from "../frame/flash.ts"
import { unfinishedForm } from "./unfinishedUser.ts"

type Request = HttpServerRequest.HttpServerRequest

const signOut = ({ secret }: { readonly secret: string }) =>
  Effect.gen(function* () {
    const sessions = yield* ConsoleSessions
    yield* sessions.end(secret)
    const signedOut = yield* withFlash(seeOther(signInPath), { sentence: "You are signed out." })
    return yield* dropCookie(withoutStored(signedOut), "console")
  })

const isUnfinished = Effect.fnUntraced(function* (request: Request) {
  const secret = yield* readCookie(request, "console")
  const sessions = yield* ConsoleSessions
  const session = secret === null ? null : yield* sessions.find(secret, false)
  return session !== null && session.waitsFor !== null
})

const [ofUnfinished, ofUser] = [unfinishedForm(signOut), consoleForm(signOut)]

export const signOutRoutes = [
  {
    method: "POST",
    path: consoleSignOutPath,
    handle: (request: Request) =>
      Effect.flatMap(isUnfinished(request), (is) => (is ? ofUnfinished(request) : ofUser(request)))
  }
] as const

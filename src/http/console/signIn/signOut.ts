/** Signing out of the console: the session ends for every browser that has its cookie. */
import { Effect } from "effect"
import { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import { dropCookie, withoutStored } from "../../server/cookies.ts"
import { seeOther, signInPath, consoleSignOutPath } from "../frame/consoleFrame.ts"
import { consoleForm } from "../frame/consolePage.ts"
import { withFlash } from "../frame/flash.ts"

export const signOutRoutes = [
  {
    method: "POST",
    path: consoleSignOutPath,
    handle: consoleForm(({ secret }) =>
      Effect.gen(function* () {
        const sessions = yield* ConsoleSessions
        yield* sessions.end(secret)
        const signedOut = yield* withFlash(seeOther(signInPath), { sentence: "You are signed out." })
        return yield* dropCookie(withoutStored(signedOut), "console")
      })
    )
  }
] as const

/** When a session of the console ends, for the script of every page. A session that waits for a passkey has no such page. */
import { Effect } from "effect"
import { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import { sessionEndRoutesOf } from "../../server/sessionEnd.ts"
import { consoleSessionPath } from "../frame/consoleFrame.ts"

export const sessionEndRoutesOfConsole = sessionEndRoutesOf({
  path: consoleSessionPath,
  cookie: "console",
  find: Effect.fnUntraced(function* (secret, isUse) {
    const sessions = yield* ConsoleSessions
    const session = yield* sessions.find(secret, isUse)
    return session?.waitsFor === null ? session : null
  })
})

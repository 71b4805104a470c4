/** When a session of the console ends, for the script of every page. A session that waits for a passkey has no such page. */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import { sessionEndRoutesOf } from "../../server/sessionEnd.ts"
import { consoleHeaders, consoleSessionPath } from "../frame/consoleFrame.ts"

const routes = sessionEndRoutesOf({
  path: consoleSessionPath,
  cookie: "console",
  find: Effect.fnUntraced(function* (secret, isUse) {
    const sessions = yield* ConsoleSessions
    const session = yield* sessions.find(secret, isUse)
    return session?.waitsFor === null ? session : null
  })
})

export const sessionEndRoutesOfConsole = routes.map(({ handle, method, path }) => ({
  method,
  path,
  handle: (request: HttpServerRequest.HttpServerRequest) =>
    Effect.map(handle(request), (answer) => HttpServerResponse.setHeaders(answer, consoleHeaders))
}))

/** When a session of the console ends, for the script of every page. Pages that wait for a passkey have the script, too. */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import { sessionEndRoutesOf } from "../../server/pages/sessionEnd.ts"
import { consoleHeaders, consoleSessionPath } from "../frame/consoleFrame.ts"

const routes = sessionEndRoutesOf({
  path: consoleSessionPath,
  cookie: "console",
  find: (secret, isUse) => Effect.flatMap(ConsoleSessions, ({ find }) => find(secret, isUse))
})

export const sessionEndRoutesOfConsole = routes.map(({ handle, method, path }) => ({
  method,
  path,
  handle: (request: HttpServerRequest.HttpServerRequest) =>
    Effect.map(handle(request), (answer) => HttpServerResponse.setHeaders(answer, consoleHeaders))
}))

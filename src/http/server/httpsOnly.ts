/** Pages that came over https come over https from then on (HSTS). Over plain http, as on somebody's own machine, nothing is said. */
import { Duration, Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import type { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"
import type { Route } from "./answering.ts"
import { isSecure } from "./cookies.ts"
import { httpLimits } from "./limits.ts"

const header = {
  "strict-transport-security": `max-age=${Duration.toSeconds(httpLimits.httpsOnlyFor)}`
}

export const httpsOnly =
  <R>(handle: Route<R>["handle"]): Route<R | ServiceAddress>["handle"] =>
  (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(isSecure, (secure) =>
      secure
        ? Effect.map(handle(request), (response) => HttpServerResponse.setHeaders(response, header))
        : handle(request)
    )

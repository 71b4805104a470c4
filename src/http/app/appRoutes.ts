/** All routes of the customer's app, under /app. Each step, the link and the journey's page bring their own routes. */
import { Duration, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpServerResponse } from "effect/http"
import type { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"
import type { Route, ServicesOf } from "../server/answering.ts"
import { addressStepRoutes } from "./addressStep.ts"
import { appRoute } from "./appRoute.ts"
import { assetRoutes } from "./assets.ts"
import { isSecure } from "./cookies.ts"
import { identityStepRoutes } from "./identityStep.ts"
import { journeyPageRoutes } from "./journeyPage.ts"
import { appLimits } from "./limits.ts"
import { signInRoutes } from "./signInLink.ts"
import { testOutcomeRoutes } from "./testOutcomes.ts"
import { videoStepRoutes } from "./videoStep.ts"
import { videoUploadRoutes } from "./videoUploads.ts"

const pages = [
  ...signInRoutes,
  ...journeyPageRoutes,
  ...identityStepRoutes,
  ...addressStepRoutes,
  ...videoStepRoutes,
  ...videoUploadRoutes,
  ...testOutcomeRoutes
] as const

const httpsOnly = {
  "strict-transport-security": `max-age=${Duration.toSeconds(appLimits.httpsOnlyFor)}`
}

const strictly =
  <R>(handle: Route<R>["handle"]): Route<R | ServiceAddress>["handle"] =>
  (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(isSecure, (secure) =>
      secure
        ? Effect.map(handle(request), (response) => HttpServerResponse.setHeaders(response, httpsOnly))
        : handle(request)
    )

type Needed = ServicesOf<typeof pages>

export const appRoutes: ReadonlyArray<Route<Needed | ServiceAddress>> = [...pages, ...assetRoutes].map(
  // The list has lost which handler needs which service; together the handlers need all of them.
  ({ handle, method, path }) => appRoute(method, path, strictly(handle as Route<Needed>["handle"]))
)

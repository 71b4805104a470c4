/** The customer's app: every route under /app. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpServerResponse } from "effect/http"
import type { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"
import { Sessions } from "../../actors/customer/Sessions.ts"
import type { Route, ServicesOf } from "../server/answering.ts"
import { addressPage, confirmAddress } from "./addressStep.ts"
import { assetRoutes } from "./assets.ts"
import { dropCookie, isSecure } from "./cookies.ts"
import { checkIdentity, identityPage } from "./identityStep.ts"
import { journeyPage } from "./journeyPage.ts"
import { mailNewLink, showLink, signIn } from "./signInLink.ts"
import { signedOutPage } from "./noticePages.ts"
import { seeOther } from "./page.ts"
import { simulateOutcome } from "./testOutcomes.ts"
import { beginUpload, completeUpload, putPart, uploadState } from "./videoUploads.ts"
import { sendVideo, videoPage } from "./videoStep.ts"
import { submitted } from "./CustomerSession.ts"

const signOut = submitted((visit) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    yield* sessions.end(visit.secret)
    return yield* dropCookie(signedOutPage(), "session")
  })
)

const route = <R>(method: Route<R>["method"], path: Route<R>["path"], handle: Route<R>["handle"]): Route<R> => ({
  method,
  path,
  handle
})

const pages = [
  route("GET", "/app", () => Effect.succeed(seeOther("/app/journey"))),
  route("GET", "/app/l/:token", showLink),
  route("POST", "/app/l/:token", signIn),
  route("POST", "/app/l/:token/new-link", mailNewLink),
  route("GET", "/app/journey", journeyPage),
  route("POST", "/app/sign-out", signOut),
  route("GET", "/app/identity", identityPage),
  route("POST", "/app/identity", checkIdentity),
  route("GET", "/app/address", addressPage),
  route("POST", "/app/address", confirmAddress),
  route("GET", "/app/video", videoPage),
  route("POST", "/app/video", sendVideo),
  route("POST", "/app/video-uploads", beginUpload),
  route("GET", "/app/video-uploads/:uploadId", uploadState),
  route("PUT", "/app/video-uploads/:uploadId/chunks/:number", putPart),
  route("POST", "/app/video-uploads/:uploadId/complete", completeUpload),
  route("POST", "/app/test-outcomes", simulateOutcome)
] as const

/** A year: who came over https once comes over https again. */
const onlySecure = { "strict-transport-security": "max-age=31536000" }

const strictly =
  <R>(handle: Route<R>["handle"]): Route<R | ServiceAddress>["handle"] =>
  (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(isSecure, (secure) =>
      secure
        ? Effect.map(handle(request), (response) => HttpServerResponse.setHeaders(response, onlySecure))
        : handle(request)
    )

type Needed = ServicesOf<typeof pages>

export const appRoutes: ReadonlyArray<Route<Needed | ServiceAddress>> = [...pages, ...assetRoutes].map(
  // A list forgets which handler needs what; together they need all of it.
  ({ handle, method, path }) => route(method, path, strictly(handle as Route<Needed>["handle"]))
)

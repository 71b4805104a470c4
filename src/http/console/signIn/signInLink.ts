/**
 * The link in a member's mail, at /console/sign-in/{token}. GET and HEAD show a page and spend nothing, however often and with
 * whatever scripts a mail scanner opens the link. The button of that page signs in, once, and only together with the nonce that the
 * same browser was given. Every sign-in makes a new session. A link that has ended looks like a link that never existed.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ConsoleLinks } from "../../../actors/members/ConsoleLinks.ts"
import { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import { dropCookie, readCookie, writeCookie } from "../../server/answers/cookies.ts"
import { html } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { browserName } from "./browserName.ts"
import { consolePath, passkeyPaths, seeOther, signInPath, type ConsoleContent } from "../frame/consoleFrame.ts"
import { bareResponse, forgetWayBack, nonceForm, wayBackIn, withNonce } from "./linkPage.ts"
import { chooseCompanyPath } from "./memberCompanies.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

type Request = HttpServerRequest.HttpServerRequest

const pathToken = pathPart("token")

const linkPage = (formToken: string): ConsoleContent => ({
  heading: "Sign in",
  content: html`<p>Press the button to sign in to the console in this browser.</p>
    <form method="post">${tokenField(formToken)}<button>Sign in</button></form>
    <p><small>The link works once. If you did not ask for it, close this page: nothing has happened.</small></p>`
})

const endedPage: ConsoleContent = {
  heading: "This link does not work any more",
  status: pageStatus.linkEnded,
  content: html`<p>It was used, is too old, or a newer link was mailed.</p>
    <p><a role="button" href="${signInPath}">Get a new link</a></p>`
}

const showLink = Effect.fnUntraced(function* (request: Request) {
  const links = yield* ConsoleLinks
  return (yield* links.isOpen(yield* pathToken)) ? yield* withNonce(request, linkPage) : bareResponse(endedPage)
})

const signIn = nonceForm((request) =>
  Effect.gen(function* () {
    const links = yield* ConsoleLinks
    const before = yield* readCookie(request, "console")
    const opened = yield* links.signIn(yield* pathToken, browserName(request.headers["user-agent"]), before)
    if (opened === null) {
      yield* Effect.logInfo("A link to sign in to the console was not taken")
      return bareResponse(endedPage)
    }
    const { isWaitingForPasskey, memberId } = opened
    yield* Effect.logInfo("A member's link to sign in was taken", { memberId, isWaitingForPasskey })
    // The session that the browser had ends: whoever knew its secret has nothing of the new one.
    const sessions = yield* ConsoleSessions
    if (before !== null) yield* sessions.end(before)
    const back = wayBackIn(request) ?? consolePath
    const next = opened.isWaitingForPasskey ? passkeyPaths.SHOW : opened.companies > 1 ? chooseCompanyPath : back
    const response = yield* writeCookie(seeOther(next), "console", opened.secret)
    const withoutNonce = yield* dropCookie(response, "consoleNonce")
    return next === back ? yield* forgetWayBack(withoutNonce) : withoutNonce
  })
)

const path = `${signInPath}/:token` as const

export const signInLinkRoutes = [
  { method: "GET", path, handle: showLink },
  { method: "POST", path, handle: signIn }
] as const

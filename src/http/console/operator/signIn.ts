/**
 * The sign-in of the operator: the operator token in a form becomes a session. The token is in the body of one request, and in no
 * address, cookie or log. Wrong tokens lock their address out (`server/callers/operator.ts`). A named token signs in only if it may do everything:
 * the pages show and do everything.
 */
import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { incomingMessage } from "../../server/incomingMessage.ts"
import { operatorActor } from "../../../actors/members/memberActor.ts"
import { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import type { RefusedCaller } from "../../server/callers/authentication.ts"
import { readCookie, writeCookie } from "../../server/answers/cookies.ts"
import { refuseForeign } from "../../server/callers/forgery.ts"
import { readForm } from "../../server/bodies/form.ts"
import { html } from "../../server/pages/html.ts"
import { judgeOperatorToken } from "../../server/callers/operator.ts"
import { problem, statusOf } from "../../server/answers/problems.ts"
import {
  consoleResponse,
  operatorPath,
  operatorSignInPath,
  seeOther,
  signInPath,
  type ConsoleContent
} from "../frame/consoleFrame.ts"
import { noSuchPage } from "../frame/consolePage.ts"
import { wayBackOf } from "../frame/wayBack.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { forgedContent } from "../frame/problemPages.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The one field of the form. */
const field = "operatorToken"

/** A token that may do some things only. */
const narrowToken: RefusedCaller = { problem: problem("ROLE_NOT_PERMITTED", "scope"), headers: {} }

const refusalInWords = ({ problem: { errors } }: RefusedCaller): string => {
  switch (errors[0].code) {
    case "RATE_LIMITED":
      return "Too many wrong tokens came from this address. Please wait a minute."
    case "ROLE_NOT_PERMITTED":
      return "This token may not do everything (scope *), so it opens no pages."
    case "TEMPORARILY_UNAVAILABLE":
      return "The service cannot look the token up now. Please try again in a moment."
    default:
      return "This is not the operator token."
  }
}

const signInPage = (back: string | null, refused: RefusedCaller | null): ConsoleContent => ({
  heading: "Operator sign-in",
  ...(refused !== null && { status: statusOf(refused.problem.errors[0].code), headers: refused.headers }),
  content: html`<form method="post" action="${operatorSignInPath}" class="narrow">
      ${refused !== null && html`<p role="alert" class="refused" id="refused">${refusalInWords(refused)}</p>`}
      ${back !== null && html`<input type="hidden" name="to" value="${back}" />`}
      <label for="token">Operator token</label>
      <input
        id="token"
        name="${field}"
        type="password"
        autocomplete="current-password"
        required
        aria-describedby="${refused === null ? "" : "refused "}where"
        ${refused !== null && html`aria-invalid="true"`}
      />
      <small id="where"
        >It is what <code>OPERATOR_TOKEN</code> is set to, or <code>operatorToken</code> in <code>secrets.json</code> in
        the folder of the service's data; or a named token with the scope <code>*</code>.</small
      >
      <button>Sign in</button>
    </form>
    <p>Do you belong to a company? <a href="${signInPath}">Sign in with your mail address</a>.</p>`
})

/** The session that the browser has now, and its secret. */
const sessionNow = Effect.fnUntraced(function* (request: Request) {
  const secret = yield* readCookie(request, "console")
  const sessions = yield* ConsoleSessions
  return { secret, session: secret === null ? null : yield* sessions.find(secret, false) }
})

const showSignIn = Effect.fnUntraced(function* (request: Request) {
  const { session } = yield* sessionNow(request)
  if (session?.who._tag === "Member") return noSuchPage
  if (session !== null) return seeOther(operatorPath)
  return consoleResponse(null, signInPage(wayBackOf(pageQuery({ request })("to")), null))
})

/** The session before ends: nobody who knew its secret is let in with the token. */
const signIn = Effect.fnUntraced(function* (request: Request) {
  const { secret: before, session } = yield* sessionNow(request)
  if (session?.who._tag === "Member") return noSuchPage
  yield* refuseForeign(request)
  const fields = yield* readForm(request)
  const back = wayBackOf(fields.get("to"))
  const incoming = incomingMessage(request)
  const judged = yield* Effect.result(judgeOperatorToken(incoming, fields.get(field) ?? ""))
  if (Result.isFailure(judged)) return consoleResponse(null, signInPage(back, judged.failure))
  const { token } = judged.success
  if (token !== null && !token.scopes.includes("*")) return consoleResponse(null, signInPage(back, narrowToken))
  const sessions = yield* ConsoleSessions
  if (before !== null) yield* sessions.end(before)
  const secret = yield* sessions.openForOperator(token?.id ?? null)
  yield* Effect.logInfo("The operator signed in to the console", { who: operatorActor(token) })
  return yield* writeCookie(seeOther(back ?? operatorPath), "console", secret)
})

export const operatorSignInRoutes = [
  { method: "GET", path: operatorSignInPath, handle: showSignIn },
  {
    method: "POST",
    path: operatorSignInPath,
    handle: (request: Request) =>
      Effect.catchTag(signIn(request), "Forged", () => Effect.succeed(consoleResponse(null, forgedContent)))
  }
] as const

/** The second step of a sign-in, at /console/sign-in/passkey: a member who has a passkey shows it before the session counts. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Passkeys } from "../../../actors/members/Passkeys.ts"
import { optionsToShow, passkeySite, shownPasskey } from "../../api/frame/webauthn.ts"
import { writeCookie } from "../../server/answers/cookies.ts"
import { html } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { passkeyScriptPaths } from "../frame/assets.ts"
import { consoleHeaders, consolePath, passkeyPaths, seeOther, signInPath } from "../frame/consoleFrame.ts"
import { forgetWayBack, rememberAskedFor, wayBackIn } from "./linkPage.ts"
import {
  signOutButton,
  unfinishedForm,
  unfinishedPage,
  unfinishedResponse,
  type UnfinishedUser
} from "./unfinishedUser.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

const showPasskeyPath = passkeyPaths.SHOW

const passkeyPage = (user: UnfinishedUser, isRefused: boolean) =>
  unfinishedResponse(user, {
    heading: "Show your passkey",
    status: isRefused ? pageStatus.unusable : pageStatus.shown,
    scripts: passkeyScriptPaths,
    content: html`<p>The link in your mail was the first step. Your passkey is the second.</p>
      ${isRefused && html`<p role="alert" class="refused">That was not accepted. Please try again.</p>`}
      <form method="post" action="${showPasskeyPath}" data-passkey="show" data-options="${showPasskeyPath}/options">
        ${tokenField(user.formToken)}<input type="hidden" name="answer" />
        <button>Use your passkey</button>
        <p role="alert" class="refused" data-said hidden></p>
      </form>
      <noscript><p>Passkeys need JavaScript. Please turn it on for this page.</p></noscript>
      <p>
        Lost it? Another owner of your company can remove it on the page "Team", and if there is none, the operator of
        this service can: then the link in your mail is enough.
      </p>
      <p><a href="/console/companies">Work for another company</a> · <a href="${signInPath}">Start again</a></p>
      ${signOutButton(user)}`
  })

const showStep = (user: UnfinishedUser) =>
  user.session.waitsFor === "SHOW"
    ? rememberAskedFor(passkeyPage(user, false), user)
    : Effect.succeed(seeOther(consolePath))

/** For the page's script. */
export const jsonResponse = (value: unknown, status: number = pageStatus.shown) =>
  HttpServerResponse.text(JSON.stringify(value), { status, contentType: "application/json", headers: consoleHeaders })

const giveOptions = Effect.fnUntraced(function* ({ member, session }: UnfinishedUser) {
  const site = yield* passkeySite
  if (site === null || session.waitsFor !== "SHOW") return jsonResponse(null, pageStatus.notAskedNow)
  return jsonResponse(yield* optionsToShow(site, member))
})

/** Whoever has shown the passkey gets a session with a new secret: the one that waited is worth nothing. */
const passStep = Effect.fnUntraced(function* (user: UnfinishedUser, fields: URLSearchParams) {
  const { member, request, session } = user
  if (session.waitsFor !== "SHOW") return seeOther(consolePath)
  const site = yield* passkeySite
  const shown =
    site === null ? null : yield* shownPasskey(site, session.id, member.memberId, fields.get("answer") ?? "")
  const passkeys = yield* Passkeys
  const secret = shown === null ? null : yield* passkeys.passed(session.id, shown)
  const { memberId } = member
  yield* Effect.logInfo(secret === null ? "A member's passkey was not taken" : "A member has shown the passkey", {
    memberId
  })
  if (secret === null) return passkeyPage(user, true)
  const response = yield* writeCookie(seeOther(wayBackIn(request) ?? consolePath), "console", secret)
  return yield* forgetWayBack(response)
})

export const showPasskeyRoutes = [
  { method: "GET", path: showPasskeyPath, handle: unfinishedPage(showStep) },
  { method: "POST", path: showPasskeyPath, handle: unfinishedForm(passStep) },
  { method: "POST", path: `${showPasskeyPath}/options`, handle: unfinishedForm(giveOptions) }
] as const

/**
 * The first passkey of a member whose company demands one, at /console/sign-in/first-passkey. Until it is added the session permits
 * nothing else. A member who has just signed in adds it; everybody else signs in again first.
 */
import { Effect } from "effect"
import { memberSessionOperations } from "../../api/company/memberSessions.ts"
import { ask, type Question } from "../../server/endpoints/ask.ts"
import { Asker } from "../../server/endpoints/Asker.ts"
import { html } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { passkeyScriptPaths } from "../frame/assets.ts"
import { consolePath, passkeyPaths, seeOther, signInPath } from "../frame/consoleFrame.ts"
import { withFlash } from "../frame/flash.ts"
import { forgetWayBack, rememberAskedFor, wayBackIn } from "./linkPage.ts"
import { addPasskeyPart, passkeyBody, passkeyWasAdded } from "./passkeyForm.ts"
import { jsonResponse } from "./showPasskey.ts"
import {
  signOutButton,
  unfinishedForm,
  unfinishedPage,
  unfinishedResponse,
  type UnfinishedUser
} from "./unfinishedUser.ts"

const path = passkeyPaths.ADD

const firstPasskeyPage = Effect.fnUntraced(function* (user: UnfinishedUser) {
  const adding = yield* Effect.provideService(addPasskeyPart(user.formToken, path, signInPath), Asker, user.member)
  return unfinishedResponse(user, {
    heading: "Add a passkey",
    status: pageStatus.shown,
    scripts: passkeyScriptPaths,
    content: html`<p>
        Your company wants everybody to sign in with a passkey, and you have none yet. It is your telephone, your
        computer or a security key, and from now on you show it after the link in your mail.
      </p>
      ${adding}
      <p><a href="/console/companies">Work for another company</a></p>
      ${signOutButton(user)}`
  })
})

const showStep = (user: UnfinishedUser) =>
  user.session.waitsFor === "ADD"
    ? Effect.flatMap(firstPasskeyPage(user), (page) => rememberAskedFor(page, user))
    : Effect.succeed(seeOther(consolePath))

/** The operations of the member's own passkeys. */
const asked = <Name extends "addPasskey" | "preparePasskey">(
  { member }: UnfinishedUser,
  name: Name,
  body?: Question["body"]
) => {
  const { companyId, memberId } = member
  const question = { path: { companyId, memberId }, ...(body === undefined ? {} : { body }) }
  return Effect.provideService(ask(memberSessionOperations, name, question), Asker, member)
}

/** For the page's script. */
const giveOptions = Effect.fnUntraced(function* (user: UnfinishedUser) {
  if (user.session.waitsFor !== "ADD") return jsonResponse(null, pageStatus.notAskedNow)
  return jsonResponse(yield* asked(user, "preparePasskey"))
})

const add = Effect.fnUntraced(function* (user: UnfinishedUser, fields: URLSearchParams) {
  if (user.session.waitsFor !== "ADD") return seeOther(consolePath)
  yield* asked(user, "addPasskey", passkeyBody(fields))
  const response = yield* withFlash(seeOther(wayBackIn(user.request) ?? consolePath), { sentence: passkeyWasAdded })
  return yield* forgetWayBack(response)
})

export const firstPasskeyRoutes = [
  { method: "GET", path, handle: unfinishedPage(showStep) },
  { method: "POST", path, handle: unfinishedForm(add) },
  { method: "POST", path: `${path}/options`, handle: unfinishedForm(giveOptions) }
] as const

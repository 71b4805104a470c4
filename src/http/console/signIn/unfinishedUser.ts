/**
 * A member whose sign-in may not be finished: the second step with a passkey, and the choice of a company. Every other page
 * refuses such a session (`consolePage.ts`). The pages here show nothing of a company but its name.
 */
import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { formTokenOf } from "../../../actors/kernel/secrets.ts"
import { ConsoleSessions, type ConsoleSession, type SignedInMember } from "../../../actors/members/ConsoleSessions.ts"
import type { HandlerFailure } from "../../server/answers/answering.ts"
import { readCookie } from "../../server/answers/cookies.ts"
import { refuseForeign, refuseWithoutToken, type Forged } from "../../server/callers/forgery.ts"
import { readForm } from "../../server/bodies/form.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { consolePath, consoleSignOutPath, seeOther, signInPath, type ConsoleContent } from "../frame/consoleFrame.ts"
import { bareResponse } from "./linkPage.ts"
import { forgedContent, problemContent } from "../frame/problemPages.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

export interface UnfinishedUser {
  readonly request: Request
  readonly secret: string
  readonly session: ConsoleSession
  readonly member: SignedInMember
  readonly formToken: string
}

/** These pages have no header with it. */
export const signOutButton = ({ formToken }: UnfinishedUser): Html =>
  html`<form method="post" action="${consoleSignOutPath}">
    ${tokenField(formToken)}<button class="secondary outline">Sign out</button>
  </form>`

/** The console leads whoever has finished the sign-in, in another tab, to where they wanted to go. */
export const unfinishedResponse = ({ formToken }: UnfinishedUser, content: ConsoleContent): Response =>
  bareResponse({ ...content, session: { formToken, here: consolePath, signIn: signInPath } })

const userOf = Effect.fnUntraced(function* (request: Request) {
  const secret = yield* readCookie(request, "console")
  const sessions = yield* ConsoleSessions
  const session = secret === null ? null : yield* sessions.find(secret)
  if (secret === null || session === null || session.who._tag === "Operator") return null
  return { request, secret, session, member: session.who, formToken: formTokenOf(secret) } satisfies UnfinishedUser
})

const shownProblems = <R>(answer: Effect.Effect<Response, Failure, R>) =>
  Effect.catchTags(answer, {
    Forged: () => Effect.succeed(bareResponse(forgedContent)),
    Problem: (failure) => Effect.succeed(bareResponse(problemContent(failure)))
  })

type Failure = HandlerFailure | Forged

export const unfinishedPage =
  <R>(handle: (user: UnfinishedUser) => Effect.Effect<Response, Failure, R>) =>
  (request: Request) =>
    Effect.flatMap(userOf(request), (user) =>
      user === null ? Effect.succeed(seeOther(signInPath)) : shownProblems(handle(user))
    )

export const unfinishedForm = <R>(
  handle: (user: UnfinishedUser, fields: URLSearchParams) => Effect.Effect<Response, Failure, R>
) =>
  unfinishedPage((user) =>
    Effect.gen(function* () {
      yield* refuseForeign(user.request)
      const fields = yield* readForm(user.request)
      yield* refuseWithoutToken(user.request, user.secret, fields.get("token"))
      return yield* handle(user, fields)
    })
  )

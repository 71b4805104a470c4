/**
 * /app/l/{token}: the link in a customer's mail. GET and HEAD show a page and spend nothing, however often and with
 * whatever scripts it is looked at; the button of that page signs in, once, and only together with the nonce that the
 * same browser was given. Links that have ended look like links that never were.
 */
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { CustomerLinks } from "../../actors/customer/CustomerLinks.ts"
import { isAskedAgain } from "../../actors/customer/customerStep.ts"
import { stepAskedOf } from "../../actors/journey/rules/waiting.ts"
import { STEPS } from "../../schema/journey/steps.ts"
import { formTokenOf, newSecret } from "../../actors/customer/secrets.ts"
import { Sessions } from "../../actors/customer/Sessions.ts"
import { SignInLinks, type LinkState } from "../../actors/customer/SignInLinks.ts"
import { JourneyStore } from "../../actors/journey/actor/JourneyStore.ts"
import { readCookie, writeCookie } from "./cookies.ts"
import { refuseForeign, refuseWithoutToken } from "./forgery.ts"
import { readForm } from "./form.ts"
import { html } from "./html.ts"
import { closedPage, endedPage, forgedPage, newLinkPage } from "./noticePages.ts"
import { hiddenToken, pageResponse, seeOther } from "./page.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const pathToken = Effect.map(HttpRouter.params, (params) => params["token"] ?? "")

const openPage = ({ companyName, step }: Extract<LinkState, { _tag: "OPEN" }>, formToken: string): Response =>
  pageResponse({
    heading: "Welcome",
    companyName,
    content: html`<p>This link is for you alone. ${STEPS[step].app.invitation}</p>
      <form method="post">${hiddenToken(formToken)}<button>Continue</button></form>
      <p class="hint">It signs you in once, on this device.</p>`
  })

/** A nonce that the browser has already stays: the link may be open in another tab. */
const withNonce = (request: Request, page: (formToken: string) => Response) =>
  Effect.flatMap(readCookie(request, "nonce"), (known) => {
    const nonce = known ?? newSecret()
    return writeCookie(page(formTokenOf(nonce)), "nonce", nonce)
  })

/** Whoever is signed in to this journey already may open their link again. */
const isSignedInTo = Effect.fnUntraced(function* (request: Request, state: LinkState) {
  if (state._tag !== "ENDED") return false
  const secret = yield* readCookie(request, "session")
  if (secret === null) return false
  const sessions = yield* Sessions
  return (yield* sessions.find(secret))?.journeyId === state.journeyId
})

export const showLink = Effect.fnUntraced(function* (request: Request) {
  const token = yield* pathToken
  const links = yield* SignInLinks
  const state = yield* links.look(token)
  if (state._tag === "CLOSED") return closedPage(false)
  if (yield* isSignedInTo(request, state)) return seeOther("/app/journey")
  return yield* withNonce(request, (formToken) =>
    state._tag === "OPEN" ? openPage(state, formToken) : endedPage(token, formToken)
  )
})

/** A form of a link's page: ours if it has the token of the nonce. */
const ofLinkPage =
  <R, E>(handle: (request: Request, token: string) => Effect.Effect<Response, E, R>) =>
  (request: Request) =>
    Effect.gen(function* () {
      yield* refuseForeign(request)
      const form = yield* readForm(request)
      yield* refuseWithoutToken(yield* readCookie(request, "nonce"), form.get("token"))
      return yield* handle(request, yield* pathToken)
    }).pipe(Effect.catchTag("Forged", () => Effect.succeed(forgedPage())))

export const signIn = ofLinkPage(
  Effect.fnUntraced(function* (request, token) {
    const links = yield* SignInLinks
    const before = yield* readCookie(request, "session")
    const signedIn = yield* links.signIn(token)
    if (signedIn === null) return yield* showLink(request)
    if (before !== null) {
      const sessions = yield* Sessions
      yield* sessions.end(before)
    }
    return yield* writeCookie(seeOther("/app/journey"), "session", signedIn.secret)
  })
)

/** A mail of the step the journey is at now, whatever the link was for; nothing when it waits for nobody. */
export const mailNewLink = ofLinkPage(
  Effect.fnUntraced(function* (_request, token) {
    const links = yield* SignInLinks
    const state = yield* links.look(token)
    if (state._tag === "OPEN" || state._tag === "ENDED") {
      const store = yield* JourneyStore
      const mails = yield* CustomerLinks
      const stored = yield* store.load(state.journeyId)
      const step = stored === null ? null : stepAskedOf(stored.journey)
      if (stored !== null && step !== null) yield* mails.mailNew(stored.journey.id, step, isAskedAgain(stored.journey))
    }
    return newLinkPage()
  })
)

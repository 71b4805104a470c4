/**
 * The sign-in link in a customer's mail, at /app/l/{token}. GET and HEAD show a page and spend nothing, however often and
 * with whatever scripts a mail scanner opens the link. The button of that page signs in, once, and only together with the
 * nonce that the same browser was given. A link that has ended looks like a link that never existed.
 */
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { linkPath } from "../../../actors/customer/appPaths.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { formTokenOf, newNonce } from "../../../actors/kernel/secrets.ts"
import { Sessions } from "../../../actors/customer/Sessions.ts"
import { SignInLinks, type LinkState } from "../../../actors/customer/SignInLinks.ts"
import { CustomerLanguage } from "../../../actors/customer/CustomerLanguage.ts"
import { appRoute } from "../frame/appRoute.ts"
import { readCookie, writeCookie } from "../../server/answers/cookies.ts"
import { refuseForeign, refuseWithoutToken } from "../../server/callers/forgery.ts"
import { readForm } from "../../server/bodies/form.ts"
import { html, type Shown } from "../../server/pages/html.ts"
import { askedByBrowser, chosenHere, visitorFrame } from "../frame/language.ts"
import { closedPage, endedPage, forgedPage, newLinkPage } from "../frame/noticePages.ts"
import { mailLinkNow } from "./newLink.ts"
import { pageResponse, toJourneyPage, type Frame } from "../frame/page.ts"
import { codeOfLink } from "./telephone.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const pathToken = Effect.map(HttpRouter.params, (params) => params["token"] ?? "")

type OpenLink = Extract<LinkState, { _tag: "OPEN" }>

const openPage = (frame: Frame, { company, step }: OpenLink, formToken: string, code: Shown): Response => {
  const { link, steps } = frame.words
  return pageResponse({
    ...frame,
    heading: link.heading,
    company,
    content: html`<p>${link.forYou} ${steps[step].invitation}</p>
      <form method="post">${tokenField(formToken)}<button>${link.button}</button></form>
      <p class="hint">${link.once}</p>
      ${code}`
  })
}

/** The browser keeps a nonce that it has already: the link may be open in another tab. */
const withNonce = (request: Request, page: (formToken: string) => Response) =>
  Effect.flatMap(readCookie(request, "nonce"), (known) => {
    const nonce = known ?? newNonce()
    return writeCookie(page(formTokenOf(nonce)), "nonce", nonce)
  })

/** A customer who is signed in to this journey may open the spent link again. */
const isSignedInTo = Effect.fnUntraced(function* (request: Request, state: LinkState) {
  if (state._tag !== "ENDED" && state._tag !== "CLOSED") return false
  const secret = yield* readCookie(request, "session")
  if (secret === null) return false
  const sessions = yield* Sessions
  return (yield* sessions.find(secret))?.journeyId === state.journeyId
})

const showLink = Effect.fnUntraced(function* (request: Request) {
  const token = yield* pathToken
  const links = yield* SignInLinks
  const state = yield* links.look(token)
  if (yield* isSignedInTo(request, state)) return toJourneyPage()
  if (state._tag === "CLOSED") return closedPage(visitorFrame(request), state.ended)
  const code = state._tag === "OPEN" && (yield* codeOfLink(visitorFrame(request, state.languages), token))
  return yield* withNonce(request, (formToken) =>
    state._tag === "OPEN"
      ? openPage(visitorFrame(request, state.languages), state, formToken, code)
      : // An ended link must look like an unknown link: its page does not show that it knows the customer.
        endedPage(visitorFrame(request), token, formToken)
  )
})

/** A form of a link's page. The form is ours if it has the token of the browser's nonce. */
const ofLinkPage =
  <R, E>(handle: (request: Request, token: string) => Effect.Effect<Response, E, R>) =>
  (request: Request) =>
    Effect.gen(function* () {
      yield* refuseForeign(request)
      const form = yield* readForm(request)
      yield* refuseWithoutToken(request, yield* readCookie(request, "nonce"), form.get("token"))
      return yield* handle(request, yield* pathToken)
    }).pipe(Effect.catchTag("Forged", () => Effect.succeed(forgedPage(visitorFrame(request)))))

/** Mails follow the language that the customer reads, chosen or asked for by the browser. */
const rememberLanguage = Effect.fnUntraced(function* (request: Request, journeyId: JourneyId) {
  const chosen = chosenHere(request)
  const language = chosen ?? askedByBrowser(request)
  const file = yield* CustomerLanguage
  if (language !== null) yield* file.remember(journeyId, language, chosen !== null)
})

const signIn = ofLinkPage(
  Effect.fnUntraced(function* (request, token) {
    const links = yield* SignInLinks
    const before = yield* readCookie(request, "session")
    const signedIn = yield* links.signIn(token, before)
    if (signedIn === null) {
      yield* Effect.logInfo("A customer's link was not taken")
      return yield* showLink(request)
    }
    yield* Effect.logInfo("A customer's link was taken", { journeyId: signedIn.journeyId })
    if (before !== null) {
      const sessions = yield* Sessions
      yield* sessions.end(before)
    }
    yield* rememberLanguage(request, signedIn.journeyId)
    return yield* writeCookie(toJourneyPage(), "session", signedIn.secret)
  })
)

const mailNewLink = ofLinkPage(
  Effect.fnUntraced(function* (request, token) {
    const links = yield* SignInLinks
    const state = yield* links.look(token)
    if (state._tag === "OPEN" || state._tag === "ENDED") {
      yield* mailLinkNow(state.journeyId)
    }
    return newLinkPage(visitorFrame(request), linkPath(encodeURIComponent(token)))
  })
)

const path = linkPath(":token")

export const signInRoutes = [
  appRoute("GET", path, showLink),
  appRoute("POST", path, signIn),
  appRoute("POST", `${path}/new-link`, mailNewLink)
] as const

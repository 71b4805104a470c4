/**
 * A browser whose session has run out (X5) still has its secret. The secret opens nothing any more; while its row is there the page
 * names the company and has a button that mails the customer a new link, as the page of an ended link does. A journey that has
 * ended says so as it says to whoever holds a link (X6). Any other secret, and none, reads the page that knows nobody.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import { CustomerDetails } from "../../../actors/customer/CustomerDetails.ts"
import { formTokenOf } from "../../../actors/kernel/secrets.ts"
import { Sessions } from "../../../actors/customer/Sessions.ts"
import type { EndedJourney } from "../../../actors/customer/SignInLinks.ts"
import { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { readCookie } from "../../server/answers/cookies.ts"
import { refuseForeign, refuseWithoutToken } from "../../server/callers/forgery.ts"
import { readForm } from "../../server/bodies/form.ts"
import { appRoute } from "../frame/appRoute.ts"
import { visitorFrame } from "../frame/language.ts"
import { mailLinkNow } from "./newLink.ts"
import { closedPage, forgedPage, newLinkPage, runOutPage, signInFirstPage } from "../frame/noticePages.ts"
import { newLinkPath, toJourneyPage, type Frame } from "../frame/page.ts"

type Request = HttpServerRequest.HttpServerRequest

interface RunOut {
  readonly journeyId: JourneyId
  /** With the company, and in the language of the customer. */
  readonly frame: Frame
  /** Null: the journey runs. */
  readonly ended: EndedJourney | null
}

/** Null: nobody's session, or that of a customer who was erased. */
const runOutOf = Effect.fnUntraced(function* (request: Request, secret: string) {
  const sessions = yield* Sessions
  const session = yield* sessions.findRunOut(secret)
  if (session === null) return null
  const { journeyId, languages, scope } = session
  const store = yield* JourneyStore
  const stored = yield* store.read(journeyId, scope)
  const file = yield* CustomerDetails
  const details = yield* file.read(journeyId)
  if (stored === null || details === null) return null
  const company = { name: details.companyName, brand: details.brand }
  const { livemode, status } = stored.journey
  return {
    journeyId,
    frame: { ...visitorFrame(request, languages), company, isTest: !livemode },
    ended: status === "ACTIVE" ? null : { status, company, sellerName: details.sellerName }
  } satisfies RunOut
})

/** The page of a browser with this secret, whose session is not open. */
export const signInAgainPage = Effect.fnUntraced(function* (request: Request, secret: string | null) {
  const runOut = secret === null ? null : yield* runOutOf(request, secret)
  if (secret === null || runOut === null) return signInFirstPage(visitorFrame(request))
  const { ended, frame } = runOut
  return ended === null ? runOutPage(frame, formTokenOf(secret)) : closedPage(frame, ended)
})

/** A session that is open again, or gone, has the journey's page to say so. */
const mailNewLink = Effect.fnUntraced(
  function* (request: Request) {
    yield* refuseForeign(request)
    const form = yield* readForm(request)
    const secret = yield* readCookie(request, "session")
    yield* refuseWithoutToken(request, secret, form.get("token"))
    const runOut = secret === null ? null : yield* runOutOf(request, secret)
    if (runOut === null || runOut.ended !== null) return toJourneyPage()
    yield* mailLinkNow(runOut.journeyId)
    return newLinkPage(runOut.frame, journeyPagePath)
  },
  (answer, request) => Effect.catchTag(answer, "Forged", () => Effect.succeed(forgedPage(visitorFrame(request))))
)

export const runOutRoutes = [appRoute("POST", newLinkPath, mailNewLink)] as const

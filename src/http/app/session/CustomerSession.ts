/**
 * The session in which a signed-in customer uses the app: the journey it belongs to, and what is on file about the customer.
 * Without a session, after the journey has ended, or for a customer who was erased, a page says so instead. A request that
 * changes something must come from one of our own pages.
 */
import { Clock, Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { CustomerDetails, type Details } from "../../../actors/customer/CustomerDetails.ts"
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import { formTokenOf } from "../../../actors/kernel/secrets.ts"
import { Sessions, type Session } from "../../../actors/customer/Sessions.ts"
import type { EndedJourney } from "../../../actors/customer/SignInLinks.ts"
import { CurrentWorkFor } from "../../../actors/kernel/WorkFor.ts"
import { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { isEndedByFinance } from "../../../actors/journey/rules/state/finance.ts"
import { heldUntil } from "../../../actors/journey/rules/hold.ts"
import { stepAskedOf } from "../../../actors/journey/rules/state/waiting.ts"
import type { CustomerStep } from "../../../schema/journey/steps.ts"
import type { HandlerFailure } from "../../server/answers/answering.ts"
import { askAsCustomer } from "./askAsCustomer.ts"
import { readCookie } from "../../server/answers/cookies.ts"
import { refuseForeign, refuseWithoutToken } from "../../server/callers/forgery.ts"
import { readForm } from "../../server/bodies/form.ts"
import { isLook } from "../../server/pages/looks.ts"
import { takeTurn } from "../../server/admission/RequestTurns.ts"
import { visitorFrame } from "../frame/language.ts"
import { endPage } from "./endPage.ts"
import { closedPage, forgedPage } from "../frame/noticePages.ts"
import { toJourneyPage, type Frame } from "../frame/page.ts"
import { signInAgainPage } from "./runOutSession.ts"
import { testAids } from "../frame/testAids.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

export interface CustomerSession {
  readonly session: Session
  /** The secret of the session. */
  readonly secret: string
  /** What the customer's forms show to prove that they are ours. */
  readonly formToken: string
  readonly journey: Journey
  readonly details: Details
  /** The words of the page in the customer's language, and the way back to it. */
  readonly visitor: Frame
}

/** Nobody is signed in, or the journey is over. `response` is the page that says so. */
export class NoSession {
  readonly _tag = "NoSession"
  readonly response: Response
  readonly isSignedIn: boolean
  constructor(response: Response, isSignedIn: boolean) {
    this.response = response
    this.isSignedIn = isSignedIn
  }
}

const notSignedIn = Effect.fnUntraced(function* (request: Request, secret: string | null) {
  return yield* Effect.fail(new NoSession(yield* signInAgainPage(request, secret), false))
})

/** A customer who is signed in, whatever became of the journey. */
export const signedInOf = Effect.fnUntraced(function* (request: Request) {
  const secret = yield* readCookie(request, "session")
  const sessions = yield* Sessions
  const session = secret === null ? null : yield* sessions.find(secret, !isLook(request))
  if (secret === null || session === null) return yield* notSignedIn(request, secret)
  const store = yield* JourneyStore
  const stored = yield* store.read(session.journeyId, session.scope)
  if (stored === null) return yield* notSignedIn(request, null)
  const { journey } = stored
  const visitor = visitorFrame(request, session.languages)
  const file = yield* CustomerDetails
  const details = yield* file.read(journey.id)
  if (details === null) return yield* Effect.fail(new NoSession(closedPage(visitor, null), true))
  return { session, secret, formToken: formTokenOf(secret), journey, details, visitor } satisfies CustomerSession
})

/** A customer whose journey runs. Afterwards the journey's page alone shows how the journey ended. */
export const customerSessionOf = Effect.fnUntraced(function* (request: Request) {
  const customer = yield* signedInOf(request)
  const { status } = customer.journey
  if (status !== "ACTIVE") return yield* Effect.fail(new NoSession(endOf(customer, status), true))
  yield* holdSandbox(request, customer)
  return customer
})

/**
 * The customer after something was done for them. What a page of a test journey offers depends on where the journey stands now;
 * the page of a live journey says only what was done.
 */
export const afterwards = Effect.fnUntraced(function* (customer: CustomerSession) {
  if (customer.journey.livemode) return customer
  const store = yield* JourneyStore
  const stored = yield* store.read(customer.session.journeyId, customer.session.scope)
  return stored === null ? customer : { ...customer, journey: stored.journey }
})

/** A test journey waits for somebody who is at its pages; a page that looks by itself is nobody (S1). */
const holdSandbox = Effect.fnUntraced(function* (request: Request, customer: CustomerSession) {
  if (customer.journey.livemode || isLook(request)) return
  if (heldUntil(customer.journey, yield* Clock.currentTimeMillis) === null) return
  yield* Effect.catchTag(askAsCustomer(customer, { _tag: "SandboxHeld" }), "JourneyRefused", () => Effect.void)
})

const endOf = (customer: CustomerSession, status: EndedJourney["status"]): Response => {
  const frame = frameOf(customer)
  if (frame.back !== journeyPagePath) return toJourneyPage()
  if (status === "COMPLETED") return endPage(frame, customer)
  const { brand, companyName, sellerName } = customer.details
  const ended = { status, sellerName, company: { name: companyName, brand } }
  const ending = isEndedByFinance(customer.journey) ? "FINANCE" : status
  return closedPage(frame, ended, { ending, details: customer.details })
}

type Handle<Input, R> = (input: Input, customer: CustomerSession) => Effect.Effect<Response, HandlerFailure, R>

/** Who may come: a customer whose journey runs, or any customer who is signed in. */
type Who<W> = (request: Request) => Effect.Effect<CustomerSession, NoSession | HandlerFailure, W>

/** What is done for a customer is done for the company of the journey, in its turn. */
export const forCustomer = <A, E, R>({ journey, session }: CustomerSession, work: Effect.Effect<A, E, R>) =>
  Effect.provideService(Effect.andThen(takeTurn("pages"), work), CurrentWorkFor, {
    ...session.scope,
    who: journey.id,
    sessionId: session.id
  })

const pageFor =
  <W>(who: Who<W>) =>
  <R>(handle: Handle<Request, R>) =>
  (request: Request) =>
    Effect.flatMap(who(request), (customer) => forCustomer(customer, handle(request, customer))).pipe(
      Effect.catchTag("NoSession", ({ response }) => Effect.succeed(response))
    )

const postFor =
  <W>(who: Who<W>) =>
  <R>(handle: Handle<Request, R>) =>
  (request: Request) =>
    Effect.andThen(
      refuseForeign(request),
      Effect.suspend(() => pageFor(who)(handle)(request))
    ).pipe(Effect.catchTag("Forged", () => Effect.succeed(forgedPage(visitorFrame(request)))))

const formFor =
  <W>(who: Who<W>) =>
  <R>(handle: Handle<URLSearchParams, R>) =>
    postFor(who)((request, customer) =>
      Effect.flatMap(readForm(request), (form) =>
        refuseWithoutToken(request, customer.secret, form.get("token")).pipe(
          Effect.matchEffect({
            onFailure: () => Effect.succeed(forgedPage(customer.visitor)),
            onSuccess: () => handle(form, customer)
          })
        )
      )
    )

/** A page for a signed-in customer. */
export const customerPage = pageFor(customerSessionOf)

/** A request from one of our pages whose body the handler reads: the handler must check the form's token itself. */
export const customerPost = postFor(customerSessionOf)

/** A plain form from one of our pages, read and with its token checked. */
export const customerForm = formFor(customerSessionOf)

/** The same for customers whose journey may be over. */
export const signedInPage = pageFor(signedInOf)
export const signedInForm = formFor(signedInOf)

/** Whether the journey asks its customer for this step now. */
export const isAskedFor = (step: CustomerStep, { journey }: CustomerSession): boolean => stepAskedOf(journey) === step

/** A page or a form of one step. A customer who is not asked for the step is sent to the journey's page. */
export const whenAskedFor =
  <Input, R>(step: CustomerStep, handle: Handle<Input, R>): Handle<Input, R> =>
  (input, customer) =>
    isAskedFor(step, customer) ? handle(input, customer) : Effect.succeed(toJourneyPage())

/** What every page of a signed-in customer shows. */
export const frameOf = ({ details, formToken, journey, visitor }: CustomerSession): Frame => ({
  ...visitor,
  company: { name: details.companyName, brand: details.brand },
  isTest: !journey.livemode,
  ...(journey.livemode || journey.status !== "ACTIVE"
    ? {}
    : { aids: testAids({ journey, words: visitor.words, token: tokenField(formToken) }) }),
  formToken
})

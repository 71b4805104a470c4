/**
 * The session in which a signed-in customer uses the app: the journey it belongs to, and what is on file about the customer.
 * Without a session, after the journey has ended, or for a customer who was erased, a page says so instead. A request that
 * changes something must come from one of our own pages.
 */
import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { CustomerDetails, type Details } from "../../actors/customer/CustomerDetails.ts"
import { formTokenOf } from "../../actors/customer/secrets.ts"
import { Sessions, type Session } from "../../actors/customer/Sessions.ts"
import { JourneyStore } from "../../actors/journey/actor/JourneyStore.ts"
import type { Journey } from "../../actors/journey/rules/Journey.ts"
import { stepAskedOf } from "../../actors/journey/rules/waiting.ts"
import type { CustomerStep } from "../../schema/journey/steps.ts"
import type { HandlerFailure } from "../server/answering.ts"
import { readCookie } from "./cookies.ts"
import { refuseForeign, refuseWithoutToken } from "./forgery.ts"
import { readForm } from "./form.ts"
import { closedPage, forgedPage, signInFirstPage } from "./noticePages.ts"
import { toJourneyPage } from "./page.ts"

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

const signInFirst = () => new NoSession(signInFirstPage(), false)
const closed = (isComplete: boolean) => new NoSession(closedPage(isComplete), true)

export const customerSessionOf = Effect.fnUntraced(function* (request: Request) {
  const secret = yield* readCookie(request, "session")
  const sessions = yield* Sessions
  const session = secret === null ? null : yield* sessions.find(secret)
  if (secret === null || session === null) return yield* Effect.fail(signInFirst())
  const store = yield* JourneyStore
  const stored = yield* store.read(session.journeyId, session.scope)
  if (stored === null) return yield* Effect.fail(signInFirst())
  const { journey } = stored
  if (journey.status !== "ACTIVE") return yield* Effect.fail(closed(journey.status === "COMPLETED"))
  const file = yield* CustomerDetails
  const details = yield* file.read(journey.id)
  if (details === null) return yield* Effect.fail(closed(false))
  return { session, secret, formToken: formTokenOf(secret), journey, details } satisfies CustomerSession
})

type Handle<Input, R> = (input: Input, customer: CustomerSession) => Effect.Effect<Response, HandlerFailure, R>

/** A page for a signed-in customer. */
export const customerPage =
  <R>(handle: Handle<Request, R>) =>
  (request: Request) =>
    Effect.flatMap(customerSessionOf(request), (customer) => handle(request, customer)).pipe(
      Effect.catchTag("NoSession", ({ response }) => Effect.succeed(response))
    )

/** A request from one of our pages whose body the handler reads: the handler must check the form's token itself. */
export const customerPost =
  <R>(handle: Handle<Request, R>) =>
  (request: Request) =>
    Effect.andThen(
      refuseForeign(request),
      Effect.suspend(() => customerPage(handle)(request))
    ).pipe(Effect.catchTag("Forged", () => Effect.succeed(forgedPage())))

/** A plain form from one of our pages, read and with its token checked. */
export const customerForm = <R>(handle: Handle<URLSearchParams, R>) =>
  customerPost((request, customer) =>
    Effect.flatMap(readForm(request), (form) =>
      refuseWithoutToken(customer.secret, form.get("token")).pipe(
        Effect.matchEffect({
          onFailure: () => Effect.succeed(forgedPage()),
          onSuccess: () => handle(form, customer)
        })
      )
    )
  )

/** Whether the journey asks its customer for this step now. The customer of a test journey simulates the step instead. */
export const isAskedFor = (step: CustomerStep, { journey }: CustomerSession): boolean =>
  journey.livemode && stepAskedOf(journey) === step

/** A page or a form of one step. A customer who is not asked for the step is sent to the journey's page. */
export const whenAskedFor =
  <Input, R>(step: CustomerStep, handle: Handle<Input, R>): Handle<Input, R> =>
  (input, customer) =>
    isAskedFor(step, customer) ? handle(input, customer) : Effect.succeed(toJourneyPage())

/** What every page of a signed-in customer shows. */
export const frameOf = ({ details, formToken, journey }: CustomerSession) => ({
  companyName: details.companyName,
  isTest: !journey.livemode,
  formToken
})

/**
 * A signed-in customer's request: whose session it is, where their journey stands, what is on file of them. Without a
 * session, with a journey that has ended, or for a customer who was erased there is a page that says so instead. What
 * changes something must come from our own page.
 */
import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { CustomerDetails, type Details } from "../../actors/customer/CustomerDetails.ts"
import { formTokenOf } from "../../actors/customer/secrets.ts"
import { Sessions, type Session } from "../../actors/customer/Sessions.ts"
import type { Journey } from "../../actors/journey/rules/Journey.ts"
import { JourneyStore } from "../../actors/journey/actor/JourneyStore.ts"
import type { Failure } from "../server/answering.ts"
import { readCookie } from "./cookies.ts"
import { refuseForeign, refuseWithoutToken } from "./forgery.ts"
import { readForm } from "./form.ts"
import { closedPage, forgedPage, signInFirstPage } from "./noticePages.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

export interface Visit {
  readonly session: Session
  /** The session's secret. */
  readonly secret: string
  readonly formToken: string
  readonly journey: Journey
  readonly details: Details
}

/** What every page of a visit has in common. */
export const frameOf = ({ details, formToken, journey }: Visit) => ({
  companyName: details.companyName,
  isTest: !journey.livemode,
  formToken
})

type Handle<R> = (request: Request, visit: Visit) => Effect.Effect<Response, Failure, R>

/** Nobody is signed in, or there is nothing to visit any more; and the page that says so. */
export class NoVisit {
  readonly _tag = "NoVisit"
  readonly response: Response
  readonly isSignedIn: boolean
  constructor(response: Response, isSignedIn: boolean) {
    this.response = response
    this.isSignedIn = isSignedIn
  }
}

const signInFirst = () => new NoVisit(signInFirstPage(), false)
const closed = (isComplete: boolean) => new NoVisit(closedPage(isComplete), true)

export const visitOf = Effect.fnUntraced(function* (request: Request) {
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
  return { session, secret, formToken: formTokenOf(secret), journey, details } satisfies Visit
})

const shownInstead = ({ response }: NoVisit) => Effect.succeed(response)

/** A page of the app. */
export const visited =
  <R>(handle: Handle<R>) =>
  (request: Request) =>
    Effect.flatMap(visitOf(request), (visit) => handle(request, visit)).pipe(Effect.catchTag("NoVisit", shownInstead))

/** The same for what comes from one of its forms and is not read here: the handler asks for the token itself. */
export const sent =
  <R>(handle: Handle<R>) =>
  (request: Request) =>
    Effect.andThen(
      refuseForeign(request),
      Effect.suspend(() => visited(handle)(request))
    ).pipe(Effect.catchTag("Forged", () => Effect.succeed(forgedPage())))

/** The same for a plain form, read and found to be ours. */
export const submitted = <R>(handle: (visit: Visit, form: URLSearchParams) => Effect.Effect<Response, Failure, R>) =>
  sent((request, visit) =>
    Effect.flatMap(readForm(request), (form) =>
      refuseWithoutToken(visit.secret, form.get("token")).pipe(
        Effect.matchEffect({
          onFailure: () => Effect.succeed(forgedPage()),
          onSuccess: () => handle(visit, form)
        })
      )
    )
  )

/**
 * The customer's answer to the comparison of faces (D7), at /app/consent: the guard before every camera, agreeing, refusing, and
 * withdrawing. The pages work without a script. `consentPages.ts` has the words in their places.
 */
import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { IdentityAttempts } from "../../../actors/checks/identity/IdentityAttempts.ts"
import { hasAgreed, mayWithdraw } from "../../../actors/journey/rules/state/consent.ts"
import type { ConsentStep } from "../../../schema/journey/consents.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { consentOf, STEPS, type CameraStep, type CustomerStep } from "../../../schema/journey/steps.ts"
import { noticeVersions, type NoticeKind } from "../../../schema/words/consentNotices.ts"
import { appRoute } from "../frame/appRoute.ts"
import { askAsCustomer } from "../session/askAsCustomer.ts"
import { consentPage, consentPath, refusalPage, refusalPath, withdrawalPage, withdrawalPath } from "./consentPages.ts"
import { customerForm, customerPage, whenAskedFor, type CustomerSession } from "../session/CustomerSession.ts"
import { toJourneyPage, toPageAt } from "../frame/page.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const stepOf = { identity: "VERIFY_IDENTITY", video: "RECORD_VIDEO" } as const satisfies Readonly<
  Record<ConsentStep, CameraStep>
>

/** Whether the step's camera may be used and its files taken. A step without a camera needs no consent. */
export const mayUseCamera = (step: CustomerStep, { journey }: CustomerSession): boolean => {
  const { consent } = STEPS[step]
  return consent === null || hasAgreed(journey, consent)
}

/** Leads to the question that comes before the camera. */
export const toConsent = (step: CameraStep): Response => toPageAt(consentPath(consentOf(step)))

/** Runs a handler of a step with a camera, or leads to the question that comes before it. */
export const whenAgreed =
  <Input, E, R>(
    step: CameraStep,
    handle: (input: Input, customer: CustomerSession) => Effect.Effect<Response, E, R>
  ): ((input: Input, customer: CustomerSession) => Effect.Effect<Response, E, R>) =>
  (input, customer) =>
    mayUseCamera(step, customer) ? handle(input, customer) : Effect.succeed(toConsent(step))

/** An outside provider asks on its own page. */
const isAskedHere = Effect.fnUntraced(function* (step: ConsentStep, { journey }: CustomerSession) {
  if (hasAgreed(journey, step)) return false
  if (step === "video") return true
  const attempts = yield* IdentityAttempts
  return (yield* attempts.way(journey.id))._tag === "BUILT_IN"
})

const toStep = (step: ConsentStep): Response => toPageAt(STEPS[stepOf[step]].app.path)

const show = (step: ConsentStep, page: typeof consentPage) =>
  customerPage(
    whenAskedFor(
      stepOf[step],
      Effect.fnUntraced(function* (_request: Request, customer) {
        return (yield* isAskedHere(step, customer)) ? page(customer, step) : toStep(step)
      })
    )
  )

/** The notice that the form names, or null when its text is not the present one. */
const noticeIn = (form: URLSearchParams, kind: NoticeKind): string | null => {
  const notice = form.get("notice") ?? ""
  return Object.values(noticeVersions[kind]).includes(notice) ? notice : null
}

/** Of two answers at once the journey takes the first: both customers see the journey. */
const say = (customer: CustomerSession, message: JourneyMessage, then: Response) =>
  askAsCustomer(customer, message).pipe(
    Effect.as(then),
    Effect.catchTag("JourneyRefused", () => Effect.succeed(toJourneyPage()))
  )

const answer = (step: ConsentStep, _tag: "ConsentGiven" | "ConsentRefused", page: typeof consentPage) =>
  customerForm(
    whenAskedFor(
      stepOf[step],
      Effect.fnUntraced(function* (form: URLSearchParams, customer) {
        if (!(yield* isAskedHere(step, customer))) return toStep(step)
        const notice = noticeIn(form, step)
        if (notice === null) return page(customer, step)
        return yield* say(customer, { _tag, step, notice }, _tag === "ConsentGiven" ? toStep(step) : toJourneyPage())
      })
    )
  )

const showWithdrawal = customerPage((_request: Request, customer) =>
  Effect.succeed(mayWithdraw(customer.journey) ? withdrawalPage(customer) : toJourneyPage())
)

const withdraw = customerForm((form, customer) => {
  const notice = noticeIn(form, "withdrawal")
  return notice === null
    ? Effect.succeed(withdrawalPage(customer))
    : say(customer, { _tag: "ConsentWithdrawn", notice }, toJourneyPage())
})

const routesOf = (step: ConsentStep) =>
  [
    appRoute("GET", consentPath(step), show(step, consentPage)),
    appRoute("POST", consentPath(step), answer(step, "ConsentGiven", consentPage)),
    appRoute("GET", refusalPath(step), show(step, refusalPage)),
    appRoute("POST", refusalPath(step), answer(step, "ConsentRefused", refusalPage))
  ] as const

export const consentRoutes = [
  ...routesOf("identity"),
  ...routesOf("video"),
  appRoute("GET", withdrawalPath, showWithdrawal),
  appRoute("POST", withdrawalPath, withdraw)
] as const

/**
 * The journey's page at /app/journey: where the journey stands, what it asks of the customer now, and the link to that
 * step. Signing out is here too.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { journeyPagePath } from "../../actors/customer/appPaths.ts"
import { Sessions } from "../../actors/customer/Sessions.ts"
import { mayCorrectAddress, stepsOf, type StepStanding } from "../../actors/customer/customerStep.ts"
import { hasSaidNo } from "../../actors/journey/rules/state/consent.ts"
import { stepAskedOf, waitsOf } from "../../actors/journey/rules/state/waiting.ts"
import type { ReviewKind } from "../../schema/journey/ReviewKind.ts"
import { STEPS, type CustomerStep, type StepWithTurn } from "../../schema/journey/steps.ts"
import type { Words } from "../../schema/words/words.ts"
import { shownAddress } from "./steps/addressForm.ts"
import { consentNote, consentStanding } from "./steps/consentPages.ts"
import { appRoute } from "./frame/appRoute.ts"
import { progressScriptPath } from "./frame/assets.ts"
import { dropCookie, withoutStored } from "../server/answers/cookies.ts"
import { receiptFile, receiptPath } from "./session/endPage.ts"
import { html, type Html, type Shown } from "../server/pages/html.ts"
import { signedOutPage } from "./frame/noticePages.ts"
import { pageResponse, signOutPath, toJourneyPage } from "./frame/page.ts"
import { rejectionOf } from "./steps/rejection.ts"
import { inSentence, nameMark, plateMark } from "./frame/sentence.ts"
import { telephoneOffer } from "./session/telephone.ts"
import { unlessSeen } from "./frame/unchanged.ts"
import { customerPage, frameOf, signedInForm, signedInPage, type CustomerSession } from "./session/CustomerSession.ts"

const stepItem =
  ({ journey, steps }: Words) =>
  ({ standing, step }: StepStanding): Html =>
    html`<li class="${standing.toLowerCase()}" ${standing === "NOW" && html` aria-current="step"`}>
      <span class="about"
        ><span class="name">${steps[step].name}</span>
        <span class="standing">${journey.standings[standing]}</span></span
      >
    </li>`

/** What the customer has to do, or for whom the journey waits. */
const asked = (customer: CustomerSession): Html => {
  const { journey, visitor } = customer
  const open = waitsOf(journey)?.open ?? null
  if (open?.turn === "CUSTOMER") return html`${whatToDo(customer, open.step)} ${untilWhen(customer)}`
  if (open?.turn === "SERVICE") return atService[open.step](visitor.words.journey)
  return consentStanding(customer) ?? whoLooks(open?.turn ?? null, visitor.words.journey)
}

/** The end of the customer's window (X1, X2), which runs while a step is asked. */
const untilWhen = ({ journey: { window }, visitor: { words } }: CustomerSession): Html | null =>
  window === null || window.deadline === null
    ? null
    : html`<p class="hint">${words.journey.until({ until: words.formats.moment(window.deadline) })}</p>`

type Says = Words["journey"]

const nothingAsked = ({ nothing }: Says): Html => section(nothing.heading, nothing.text)

/** While the service is at a step. That an identity check is being started is told by the mail that follows. */
const atService: Readonly<Record<StepWithTurn<"SERVICE">, (says: Says) => Html>> = {
  VERIFY_IDENTITY: nothingAsked,
  RECORD_VIDEO: ({ video }) =>
    html`${section(video.checked, video.checkedFor)}
      <p><a class="alone" href="${journeyPagePath}">${video.seeWhether}</a></p>`
}

const whoLooks = (review: ReviewKind | null, says: Says): Html => {
  const { identity, video } = says
  switch (review) {
    case "VIDEO":
      return section(video.inReview, video.inReviewBy)
    case "IDENTITY":
      return section(identity.inReview, identity.inReviewBy)
    case "CHECK_UNAVAILABLE":
      return section(identity.unavailable, identity.unavailableUntil)
    case null:
      return nothingAsked(says)
  }
}

const section = (heading: string, text: string): Html =>
  html`<h2>${heading}</h2>
    <p>${text}</p>`

const whatToDo = (customer: CustomerSession, step: CustomerStep): Html => {
  const { details, journey, visitor } = customer
  const { frame, journey: says, steps } = visitor.words
  if (step === "VERIFY_IDENTITY" && journey.identity?.status === "FAILED") {
    return html`<h2>${says.identity.again}</h2>
      ${rejectionOf(customer) || html`<p>${says.identity.failed}</p>`} ${go(step, frame.tryAgain)}`
  }
  if (step === "RECORD_VIDEO" && details.hasSentVideo && !hasSaidNo(journey, "video")) {
    return html`${section(says.video.again, says.video.unclear)} ${go(step, says.video.recordAgain)}`
  }
  const { about, name, start } = steps[step]
  return html`${section(name, about)} ${go(step, start)}`
}

const go = (step: CustomerStep, label: string): Html =>
  html`<p><a class="button" href="${STEPS[step].app.path}">${label}</a></p>`

/** Where the vehicle goes, as long as the customer may still correct it. */
const addressOf = ({ details, journey, visitor }: CustomerSession): Html | null => {
  const { change, heading } = visitor.words.address.onJourneyPage
  return details.confirmedAddress === null || !mayCorrectAddress(journey)
    ? null
    : html`<h2>${heading}</h2>
        ${shownAddress(details.confirmedAddress)}
        <p><a class="alone" href="${STEPS.CONFIRM_ADDRESS.app.path}">${change}</a></p>`
}

const vehicleOf = ({ details, visitor }: CustomerSession): Html =>
  html`<p class="vehicle">
    ${details.vehicle !== null && html`${nameMark(details.vehicle)} `}${plateMark(details.registration)}${
      details.sellerName !== null &&
      html`<br />${inSentence(visitor.words.journey.soldBy, { seller: nameMark(details.sellerName) })}`
    }
  </p>`

/** What changes as the journey goes on: the page's script puts the newest in its place. */
const progressOf = (customer: CustomerSession, offer: Shown, aids: Shown): Html => {
  const { words } = customer.visitor
  return html`<div id="progress" data-step="${stepAskedOf(customer.journey) ?? ""}">
    <section class="card" aria-label="${words.journey.askedNow}">${asked(customer)}</section>
    ${offer}${addressOf(customer)}
    <h2 id="steps">${words.journey.yourSteps}</h2>
    <ol class="steps" aria-labelledby="steps">
      ${stepsOf(customer.journey).map(stepItem(words))}
    </ol>
    ${consentNote(customer)} ${aids}
  </div>`
}

const journeyPage = customerPage(
  Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, customer) {
    const { aids = null, ...frame } = frameOf(customer)
    const { words } = customer.visitor
    const { firstName } = customer.details
    const page = pageResponse({
      ...frame,
      heading: words.journey.greeting({ firstName }),
      headingMarkup: inSentence(words.journey.greeting, { firstName: nameMark(firstName) }),
      script: progressScriptPath,
      content: html`${vehicleOf(customer)}
        <p role="status" id="announcement" class="unseen"></p>
        ${progressOf(customer, yield* telephoneOffer(customer), aids)}`
    })
    return unlessSeen(request.headers["if-none-match"], page)
  })
)

const signOut = signedInForm(
  Effect.fnUntraced(function* (_form: URLSearchParams, customer) {
    const sessions = yield* Sessions
    yield* sessions.end(customer.secret)
    return yield* dropCookie(withoutStored(signedOutPage(customer.visitor)), "session")
  })
)

/** The file that the page at the end offers. */
const receipt = signedInPage((_request, customer) =>
  Effect.succeed(customer.journey.status === "COMPLETED" ? receiptFile(frameOf(customer), customer) : toJourneyPage())
)

export const journeyPageRoutes = [
  appRoute("GET", "/app", () => Effect.succeed(toJourneyPage())),
  appRoute("GET", journeyPagePath, journeyPage),
  appRoute("GET", receiptPath, receipt),
  appRoute("POST", signOutPath, signOut)
] as const

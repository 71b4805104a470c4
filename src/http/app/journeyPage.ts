/**
 * The journey's page at /app/journey: where the journey stands, what it asks of the customer now, and the link to that
 * step. Signing out is here too.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { journeyPagePath } from "../../actors/customer/appPaths.ts"
import { Sessions } from "../../actors/customer/Sessions.ts"
import { mayCorrectAddress, stepsOf, type StepStanding } from "../../actors/customer/customerStep.ts"
import { stepAskedOf } from "../../actors/journey/rules/waiting.ts"
import { STEPS, type CustomerStep } from "../../schema/journey/steps.ts"
import type { Words } from "../../schema/words/words.ts"
import { shownAddress } from "./addressForm.ts"
import { consentNote, consentStanding } from "./consentPages.ts"
import { appRoute } from "./appRoute.ts"
import { progressScriptPath } from "./assets.ts"
import { dropCookie } from "../server/cookies.ts"
import { receiptFile, receiptPath } from "./endPage.ts"
import { html, type Html, type Shown } from "../server/html.ts"
import { signedOutPage } from "./noticePages.ts"
import { pageResponse, signOutPath, toJourneyPage } from "./page.ts"
import { rejectionOf } from "./rejection.ts"
import { inSentence, nameMark, plateMark } from "./sentence.ts"
import { telephoneOffer } from "./telephone.ts"
import { unlessSeen } from "./unchanged.ts"
import { customerPage, frameOf, signedInForm, signedInPage, type CustomerSession } from "./CustomerSession.ts"

const stepItem =
  ({ journey, steps }: Words) =>
  ({ standing, step }: StepStanding): Html =>
    html`<li class="${standing.toLowerCase()}" ${standing === "NOW" && html` aria-current="step"`}>
      <span class="name">${steps[step].name}</span> <span class="standing">${journey.standings[standing]}</span>
    </li>`

/** What the customer has to do, or for whom the journey waits. */
const asked = (customer: CustomerSession): Html => {
  const { journey, visitor } = customer
  const { identity, nothing, video } = visitor.words.journey
  const step = stepAskedOf(journey)
  if (step !== null) return whatToDo(customer, step)
  if (journey.handover?.status === "VIDEO_UPLOADED") {
    return html`${section(video.checked, video.checkedFor)}
      <p><a href="${journeyPagePath}">${video.seeWhether}</a></p>`
  }
  const standing = consentStanding(customer)
  if (standing !== null) return standing
  if (journey.handover?.status === "UNDER_REVIEW") return section(video.inReview, video.inReviewBy)
  if (journey.identity?.status === "UNDER_REVIEW") return section(identity.inReview, identity.inReviewBy)
  if (journey.identity?.status === "UNAVAILABLE") return section(identity.unavailable, identity.unavailableUntil)
  return section(nothing.heading, nothing.text)
}

const section = (heading: string, text: string): Html =>
  html`<h2>${heading}</h2>
    <p>${text}</p>`

const whatToDo = (customer: CustomerSession, step: CustomerStep): Html => {
  const { details, journey, visitor } = customer
  const { steps, journey: says } = visitor.words
  const { name } = steps[step]
  switch (step) {
    case "VERIFY_IDENTITY":
      return journey.identity?.status === "FAILED"
        ? html`<h2>${says.identity.again}</h2>
            ${rejectionOf(customer) || html`<p>${says.identity.failed}</p>`} ${go(step, visitor.words.frame.tryAgain)}`
        : html`${section(name, says.identity.need)} ${go(step, says.identity.start)}`
    case "CONFIRM_ADDRESS":
      return html`${section(name, says.address.where)} ${go(step, says.address.start)}`
    case "RECORD_VIDEO":
      return details.hasSentVideo
        ? html`${section(says.video.again, says.video.unclear)} ${go(step, says.video.recordAgain)}`
        : html`${section(name, says.video.about)} ${go(step, says.video.start)}`
  }
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
        <p><a href="${STEPS.CONFIRM_ADDRESS.app.path}">${change}</a></p>`
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
    return yield* dropCookie(signedOutPage(customer.visitor), "session")
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

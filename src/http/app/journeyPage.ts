/**
 * The journey's page at /app/journey: where the journey stands, what it asks of the customer now, and the link to that
 * step. A test journey shows buttons instead (`testOutcomes.ts`). Signing out is here too.
 */
import { Effect } from "effect"
import { journeyPagePath } from "../../actors/customer/appPaths.ts"
import { Sessions } from "../../actors/customer/Sessions.ts"
import { stepsOf, type StepName, type StepStanding } from "../../actors/customer/customerStep.ts"
import { stepAskedOf } from "../../actors/journey/rules/waiting.ts"
import { STEPS, type CustomerStep } from "../../schema/journey/steps.ts"
import { appRoute } from "./appRoute.ts"
import { dropCookie } from "./cookies.ts"
import { html, type Html } from "./html.ts"
import { signedOutPage } from "./noticePages.ts"
import { pageResponse, signOutPath, toJourneyPage } from "./page.ts"
import { rejectionOf } from "./rejection.ts"
import { outcomeButtons } from "./testOutcomes.ts"
import { customerForm, customerPage, frameOf, type CustomerSession } from "./CustomerSession.ts"

const nameOf = (step: StepName): string => (step === "FINANCE" ? "Finance decision" : STEPS[step].app.name)

const standings: Readonly<Record<StepStanding["standing"], string>> = {
  DONE: "Done",
  NOW: "Your turn",
  WAITING: "In progress",
  LATER: "Later"
}

const stepItem = ({ standing, step }: StepStanding): Html =>
  html`<li class="${standing.toLowerCase()}" ${standing === "NOW" && html` aria-current="step"`}>
    <span class="name">${nameOf(step)}</span> <span class="standing">${standings[standing]}</span>
  </li>`

/** What the customer has to do, or for whom the journey waits. */
const asked = (customer: CustomerSession): Html => {
  const { journey } = customer
  const step = stepAskedOf(journey)
  if (step !== null) return whatToDo(customer, step)
  if (journey.handover?.status === "VIDEO_UPLOADED") {
    return html`<h2>Your video is being checked</h2>
      <p>This takes a minute or two. You can close this page: we email you as soon as we know.</p>
      <p><a href="${journeyPagePath}">See whether it is done</a></p>`
  }
  if (journey.handover?.status === "UNDER_REVIEW") {
    return html`<h2>Your video is being looked at</h2>
      <p>Somebody of the team is looking at your video. There is nothing for you to do; we email you.</p>`
  }
  if (journey.identity?.status === "UNDER_REVIEW") {
    return html`<h2>Your identity check is being looked at</h2>
      <p>Somebody of the team is looking at it. There is nothing for you to do; we email you.</p>`
  }
  if (journey.identity?.status === "UNAVAILABLE") {
    return html`<h2>The identity check has to wait</h2>
      <p>It cannot be started just now. The team knows and will send you a new link.</p>`
  }
  return html`<h2>There is nothing for you to do now</h2>
    <p>We email you when it is your turn again.</p>`
}

const whatToDo = (customer: CustomerSession, step: CustomerStep): Html => {
  const { journey } = customer
  switch (step) {
    case "VERIFY_IDENTITY":
      return journey.identity?.status === "FAILED"
        ? html`<h2>Please verify your identity again</h2>
            ${
              rejectionOf(customer) ||
              html`<p>The last check did not succeed. Good light and your whole face in view help most.</p>`
            }
            ${go(step, "Try again")}`
        : html`<h2>${nameOf(step)}</h2>
            <p>You need your passport, driving licence or identity card, and good light. It takes about two minutes.</p>
            ${go(step, "Start")}`
    case "CONFIRM_ADDRESS":
      return html`<h2>${nameOf(step)}</h2>
        <p>Tell us where your vehicle is to be handed over.</p>
        ${go(step, "Continue")}`
    case "RECORD_VIDEO":
      return customer.details.hasSentVideo
        ? html`<h2>Please record the video again</h2>
            <p>
              We could not tell from the last one that it was you. Good light and your whole face in view help most.
            </p>
            ${go(step, "Record again")}`
        : html`<h2>${nameOf(step)}</h2>
            <p>A short video of you with the vehicle, when you have received it. It takes about a minute.</p>
            ${go(step, "Continue")}`
  }
}

const go = (step: CustomerStep, label: string): Html =>
  html`<p><a class="button" href="${STEPS[step].app.path}">${label}</a></p>`

const vehicleOf = ({ details }: CustomerSession): Html =>
  html`<p class="vehicle">
    ${details.vehicle !== null && html`${details.vehicle} `}<span class="plate">${details.registration}</span>${
      details.sellerName !== null && html`<br />Sold by ${details.sellerName}`
    }
  </p>`

const journeyPage = customerPage((_request, customer) =>
  Effect.succeed(
    pageResponse({
      ...frameOf(customer),
      heading: `Hello ${customer.details.firstName}`,
      content: html`${vehicleOf(customer)}
        <section class="card" aria-label="What is asked now">
          ${customer.journey.livemode ? asked(customer) : outcomeButtons(customer)}
        </section>
        <h2 id="steps">Your steps</h2>
        <ol class="steps" aria-labelledby="steps">
          ${stepsOf(customer.journey).map(stepItem)}
        </ol>`
    })
  )
)

const signOut = customerForm(
  Effect.fnUntraced(function* (_form: URLSearchParams, customer) {
    const sessions = yield* Sessions
    yield* sessions.end(customer.secret)
    return yield* dropCookie(signedOutPage(), "session")
  })
)

export const journeyPageRoutes = [
  appRoute("GET", "/app", () => Effect.succeed(toJourneyPage())),
  appRoute("GET", journeyPagePath, journeyPage),
  appRoute("POST", signOutPath, signOut)
] as const

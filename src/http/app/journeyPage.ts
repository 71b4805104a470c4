/** GET /app/journey: where the journey stands, what is asked of the customer now, and the way there. */
import { Effect } from "effect"
import { stepsOf, type StepName, type StepStanding } from "../../actors/customer/customerStep.ts"
import { stepAskedOf } from "../../actors/journey/rules/waiting.ts"
import { STEPS, type CustomerStep } from "../../schema/journey/steps.ts"
import { html, type Html } from "./html.ts"
import { pageResponse } from "./page.ts"
import { rejectionOf } from "./rejection.ts"
import { outcomeButtons } from "./testOutcomes.ts"
import { frameOf, visited, type Visit } from "./CustomerSession.ts"

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

/** What there is to do, or whom it waits for. */
const asked = (visit: Visit): Html => {
  const { journey } = visit
  const step = stepAskedOf(journey)
  if (step !== null) return whatToDo(visit, step)
  if (journey.handover?.status === "VIDEO_UPLOADED") {
    return html`<h2>Your video is being checked</h2>
      <p>This takes a minute or two. You can close this page: we email you as soon as we know.</p>
      <p><a href="/app/journey">See whether it is done</a></p>`
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

const whatToDo = (visit: Visit, step: CustomerStep): Html => {
  const { journey } = visit
  switch (step) {
    case "VERIFY_IDENTITY":
      return journey.identity?.status === "FAILED"
        ? html`<h2>Please verify your identity again</h2>
            ${
              rejectionOf(visit) ||
              html`<p>The last check did not succeed. Good light and your whole face in view help most.</p>`
            }
            ${go(step, "Try again")}`
        : html`<h2>Verify your identity</h2>
            <p>You need your passport, driving licence or identity card, and good light. It takes about two minutes.</p>
            ${go(step, "Start")}`
    case "CONFIRM_ADDRESS":
      return html`<h2>Confirm the delivery address</h2>
        <p>Tell us where your vehicle is to be handed over.</p>
        ${go(step, "Continue")}`
    case "RECORD_VIDEO":
      return visit.details.hasSentVideo
        ? html`<h2>Please record the video again</h2>
            <p>
              We could not tell from the last one that it was you. Good light and your whole face in view help most.
            </p>
            ${go(step, "Record again")}`
        : html`<h2>Record the handover video</h2>
            <p>A short video of you with the vehicle, when you have received it. It takes about a minute.</p>
            ${go(step, "Continue")}`
  }
}

const go = (step: CustomerStep, label: string): Html =>
  html`<p><a class="button" href="${STEPS[step].app.path}">${label}</a></p>`

const vehicleOf = ({ details }: Visit): Html =>
  html`<p class="vehicle">
    ${details.vehicle !== null && html`${details.vehicle} `}<span class="plate">${details.registration}</span>${
      details.sellerName !== null && html`<br />Sold by ${details.sellerName}`
    }
  </p>`

export const journeyPage = visited((_request, visit) =>
  Effect.succeed(
    pageResponse({
      ...frameOf(visit),
      heading: `Hello ${visit.details.firstName}`,
      content: html`${vehicleOf(visit)}
        <section class="card" aria-label="What is asked now">
          ${visit.journey.livemode ? asked(visit) : outcomeButtons(visit)}
        </section>
        <h2 id="steps">Your steps</h2>
        <ol class="steps" aria-labelledby="steps">
          ${stepsOf(visit.journey).map(stepItem)}
        </ol>`
    })
  )
)

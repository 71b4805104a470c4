/**
 * What the page of a test journey shows instead of a customer's step: one button for each outcome of the step. A button tells
 * the journey what the simulate operation would tell it (decisions S3 and S8).
 */
import { journeyPagePath } from "../../actors/customer/appPaths.ts"
import { Effect } from "effect"
import { stepAskedOf } from "../../actors/journey/rules/waiting.ts"
import { STEPS, type TestOutcome } from "../../schema/journey/steps.ts"
import { appRoute } from "./appRoute.ts"
import { html, type Html } from "./html.ts"
import { hiddenToken, pageResponse, toJourneyPage } from "./page.ts"
import { pageStatus } from "./pageStatus.ts"
import { askAsCustomer } from "./askAsCustomer.ts"
import { customerForm, frameOf, type CustomerSession } from "./CustomerSession.ts"

const path = "/app/test-outcomes"

/** The outcome that ends a test journey wherever it stands. */
const endings: ReadonlyArray<TestOutcome> = [{ event: "delivery.completed", label: "Go on to the completed handover" }]

const button = ({ event, label }: TestOutcome): Html =>
  html`<button name="event" value="${event}">${label}<br /><span class="code">${event}</span></button>`

export const outcomeButtons = ({ formToken, journey }: CustomerSession): Html => {
  const step = stepAskedOf(journey)
  return html`<h2>${step === null ? "Nothing is asked of the customer now" : STEPS[step].app.testTitle}</h2>
    <p>
      ${
        step === null
          ? "A test journey goes on by itself; reload to see where it stands."
          : "A customer would do this step here. Choose what comes of it; a test journey also goes on by itself."
      }
    </p>
    <form method="post" action="${path}" class="outcomes">
      ${hiddenToken(formToken)}${(step === null ? endings : STEPS[step].app.testOutcomes).map(button)}
    </form>`
}

const offered: ReadonlySet<string> = new Set(
  [...Object.values(STEPS).flatMap(({ app }) => app.testOutcomes), ...endings].map(({ event }) => event)
)

const simulateOutcome = customerForm(
  Effect.fnUntraced(function* (form: URLSearchParams, customer) {
    const event = form.get("event") ?? ""
    if (customer.journey.livemode || !offered.has(event)) return toJourneyPage()
    return yield* askAsCustomer(customer, { _tag: "Simulate", event }).pipe(
      Effect.as(toJourneyPage()),
      Effect.catchTag("JourneyRefused", () => Effect.succeed(notPossibleNow(customer)))
    )
  })
)

const notPossibleNow = (customer: CustomerSession) =>
  pageResponse({
    ...frameOf(customer),
    status: pageStatus.notAskedNow,
    isProblem: true,
    heading: "That outcome is not possible now",
    content: html`<p>The journey has gone on in the meantime. <a href="${journeyPagePath}">See where it stands</a></p>`
  })

export const testOutcomeRoutes = [appRoute("POST", path, simulateOutcome)] as const

/**
 * What the link of a test journey opens: buttons for what could come of the step it is at, instead of the step itself. A
 * button tells the journey what the simulate operation would (decisions S3 and S8).
 */
import { Effect } from "effect"
import { stepAskedOf } from "../../actors/journey/rules/waiting.ts"
import { STEPS, type TestOutcome } from "../../schema/journey/steps.ts"
import { html, type Html } from "./html.ts"
import { hiddenToken, pageResponse, seeOther } from "./page.ts"
import { pageStatus } from "./pageStatus.ts"
import { askAsCustomer } from "./askAsCustomer.ts"
import { frameOf, submitted, type Visit } from "./CustomerSession.ts"

/** What would end it from anywhere. */
const endings: ReadonlyArray<TestOutcome> = [{ event: "delivery.completed", label: "Go on to the completed handover" }]

const button = ({ event, label }: TestOutcome): Html =>
  html`<button name="event" value="${event}">${label}<br /><span class="code">${event}</span></button>`

export const outcomeButtons = ({ formToken, journey }: Visit): Html => {
  const step = stepAskedOf(journey)
  return html`<h2>${step === null ? "Nothing is asked of the customer now" : STEPS[step].app.testTitle}</h2>
    <p>
      ${
        step === null
          ? "A test journey goes on by itself; reload to see where it stands."
          : "A customer would do this step here. Choose what comes of it; a test journey also goes on by itself."
      }
    </p>
    <form method="post" action="/app/test-outcomes" class="outcomes">
      ${hiddenToken(formToken)}${(step === null ? endings : STEPS[step].app.testOutcomes).map(button)}
    </form>`
}

const offered: ReadonlySet<string> = new Set(
  [...Object.values(STEPS).flatMap(({ app }) => app.testOutcomes), ...endings].map(({ event }) => event)
)

export const simulateOutcome = submitted(
  Effect.fnUntraced(function* (visit, form) {
    const event = form.get("event") ?? ""
    if (visit.journey.livemode || !offered.has(event)) return seeOther("/app/journey")
    return yield* askAsCustomer(visit, { _tag: "Simulate", event }).pipe(
      Effect.as(seeOther("/app/journey")),
      Effect.catchTag("JourneyRefused", () => Effect.succeed(notPossibleNow(visit)))
    )
  })
)

const notPossibleNow = (visit: Visit) =>
  pageResponse({
    ...frameOf(visit),
    status: pageStatus.notAskedNow,
    isProblem: true,
    heading: "That outcome is not possible now",
    content: html`<p>The journey has gone on in the meantime. <a href="/app/journey">See where it stands</a></p>`
  })

/**
 * What the outcome buttons on the pages of a test journey send: a button says to the journey what the simulate operation would
 * say (decisions S3 and S8). `testAids.ts` shows the buttons.
 */
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import { Effect } from "effect"
import { STEPS } from "../../../schema/journey/steps.ts"
import { appRoute } from "../frame/appRoute.ts"
import { html } from "../../server/pages/html.ts"
import { pageResponse, toJourneyPage } from "../frame/page.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { askAsCustomer } from "../session/askAsCustomer.ts"
import { endingOutcome, testOutcomesPath } from "../frame/testAids.ts"
import { customerForm, frameOf, type CustomerSession } from "../session/CustomerSession.ts"

const offered: ReadonlySet<string> = new Set([
  ...Object.values(STEPS).flatMap(({ app }) => app.testOutcomes),
  endingOutcome
])

const simulateOutcome = customerForm(
  Effect.fnUntraced(function* (form: URLSearchParams, customer) {
    const event = form.get("event") ?? ""
    if (customer.journey.livemode || !offered.has(event)) return toJourneyPage()
    return yield* askAsCustomer(customer, { _tag: "Simulate", event }).pipe(
      Effect.andThen(holdForReview(customer)),
      Effect.as(toJourneyPage()),
      Effect.catchTag("JourneyRefused", () => Effect.succeed(notPossibleNow(customer)))
    )
  })
)

/** Who chose that a person looks at it goes to the console next, to be that person: the journey waits for them. Of other outcomes nothing is held. */
const holdForReview = (customer: CustomerSession) =>
  Effect.catchTag(askAsCustomer(customer, { _tag: "SandboxHeld", at: "REVIEW" }), "JourneyRefused", () => Effect.void)

const notPossibleNow = (customer: CustomerSession) => {
  const { frame, testOutcomes } = customer.visitor.words
  return pageResponse({
    ...frameOf(customer),
    back: journeyPagePath,
    status: pageStatus.notAskedNow,
    isProblem: true,
    heading: testOutcomes.notPossible,
    content: html`<p>${testOutcomes.hasGoneOn} <a href="${journeyPagePath}">${frame.seeJourney}</a></p>`
  })
}

export const testOutcomeRoutes = [appRoute("POST", testOutcomesPath, simulateOutcome)] as const

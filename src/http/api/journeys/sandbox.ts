/** The sandbox's own operations: an event is simulated, and the scenarios are listed. */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { SimulateBody } from "../../../schema/requests/operations.ts"
import { Scenario, scenarios } from "../../../schema/journey/sandbox.ts"
import { journeysLater } from "../../documents/exampleJourneys.ts"
import { ofAnyKey, ofAnyOperation } from "../../server/answers/commonRefusals.ts"
import { described, jsonExample, Permitted } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { callerResource } from "../../server/endpoints/serve.ts"
import { askAsCaller, oneJourneyPath, ofJourney, operationAsked, read, repeatable } from "../frame/asCaller.ts"
import { JourneyAnswer } from "../frame/journeyAnswer.ts"

const simulateEvent = HttpApiEndpoint.post("simulateEvent", `${oneJourneyPath}/simulate`, {
  params: ofJourney,
  headers: repeatable,
  payload: SimulateBody,
  success: JourneyAnswer,
  error: refusedWith(ofAnyOperation, "EVENT_NOT_POSSIBLE")
})
  .annotate(Permitted, { scope: "journeys:simulate", testOnly: true })
  .annotateMerge(
    described({
      summary: "Simulate an event",
      description:
        "Test keys only. Moves a test journey forward through the usual steps until the named event has happened, and emits the events of those steps in order: `delivery.completed` completes any running journey.",
      request: jsonExample("Drive the journey to its end", { event: "delivery.completed" }, "Complete"),
      answer: {
        description: "The journey after the event and everything it caused",
        message: "Event simulated",
        examples: {
          Completed: {
            summary: "delivery.completed simulated",
            value: { ...journeysLater.completed, livemode: false }
          }
        }
      }
    })
  )

const Scenarios = Schema.Struct({
  content: Schema.Array(
    Schema.Struct({
      scenario: Scenario,
      email: Schema.String.annotate({ description: "An address that selects it" }),
      effect: Schema.String.annotate({ description: "What happens to the journey" })
    })
  )
}).annotate({ identifier: "Scenarios" })

export const ScenariosAnswer = answerOf("ScenariosAnswer", Scenarios)

const allScenarios: typeof Scenarios.Type = {
  content: Scenario.literals.map((scenario) => ({
    scenario,
    email: `customer+${scenario}@example.com`,
    effect: scenarios[scenario]
  }))
}

const listScenarios = HttpApiEndpoint.get("listScenarios", "/api/v1/sandbox/scenarios", {
  success: ScenariosAnswer,
  error: refusedWith(ofAnyKey)
})
  .annotate(Permitted, read)
  .annotateMerge(
    described({
      summary: "List sandbox scenarios",
      description:
        "The tags that make a test journey take another path when they stand in the customer's email address.",
      answer: {
        description: "Every scenario",
        message: "Scenarios",
        examples: { Scenarios: { summary: "Every scenario", value: allScenarios } }
      }
    })
  )

export const sandboxOperations = callerResource([simulateEvent, listScenarios], {
  simulateEvent: (asked) =>
    Effect.gen(function* () {
      const operation = yield* operationAsked(asked)
      const { event } = operation.body
      return yield* askAsCaller(simulateEvent, asked.caller, operation, { _tag: "Simulate", event })
    }),

  listScenarios: () => Effect.succeed(allScenarios)
})

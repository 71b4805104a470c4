/** What each operation of the REST API answers when it succeeds: a sentence, and examples in the envelope. */
import { SchemaAST } from "effect"
import type { JourneyResource } from "../../schema/journey/resource.ts"
import { scenarios } from "../../schema/journey/sandbox.ts"
import { startBodies } from "../../schema/start/startBodies.ts"
import { Shape } from "../../schema/journey/statuses.ts"
import { answered, pageOf, type Answers, type Examples } from "../server/exampleAnswer.ts"
import { journeysLater, startedJourneys } from "./exampleJourneys.ts"

/** What the document calls a shape. */
export const titleOf = (shape: Shape): string => SchemaAST.resolveTitle(startBodies[shape].ast) ?? shape

const ofEveryShape = (message: string): Examples =>
  Object.fromEntries(Shape.literals.map((shape) => [shape, answered(titleOf(shape), message, startedJourneys[shape])]))

const one = (name: string, summary: string, message: string, journey: JourneyResource) => ({
  [name]: answered(summary, message, journey)
})

const page = pageOf([journeysLater.completed, journeysLater.cancelled])

const scenarioList = Object.entries(scenarios).map(([scenario, effect]) => ({
  scenario,
  email: `customer+${scenario}@example.com`,
  effect
}))

export const journeyAnswers: Answers = {
  startJourney: {
    200: {
      description:
        "The Idempotency-Key was used before with the same body: the journey of that start as it is now. No second journey exists.",
      examples: one("Replay", "The same start again", "Journey already accepted", journeysLater.approved)
    },
    202: {
      description:
        "The journey was accepted. It may have ended already: a start with decision DECLINED is CANCELLED at once.",
      examples: ofEveryShape("Journey accepted")
    }
  },
  listJourneys: {
    200: {
      description: "One page of the journeys that fit",
      examples: { Page: answered("Two journeys", "Journeys", page) }
    }
  },
  getJourney: {
    200: {
      description: "The journey",
      examples: {
        ...one("Completed", "A finance journey that came to its end", "Journey", journeysLater.completed),
        ...one("AwaitingVideo", "A cash sale waiting for the customer's video", "Journey", journeysLater.awaitingVideo)
      }
    }
  },
  cancelJourney: {
    200: {
      description: "The journey, CANCELLED",
      examples: one("Cancelled", "A cancelled finance sale", "Journey cancelled", journeysLater.cancelled)
    }
  },
  replaceCustomerFace: {
    200: {
      description: "The journey; its next video is compared with the new photo",
      examples: one("Replaced", "A finance sale", "Customer photo replaced", startedJourneys.FINANCE_SALE)
    }
  },
  sendFinanceDecision: {
    200: {
      description: "The journey with the decision recorded",
      examples: one("Approved", "Finance approved", "Decision recorded", journeysLater.approved)
    }
  },
  simulateEvent: {
    200: {
      description: "The journey after the event and everything it caused",
      examples: one("Completed", "delivery.completed simulated", "Event simulated", {
        ...journeysLater.completed,
        livemode: false
      })
    }
  },
  listScenarios: {
    200: {
      description: "Every scenario",
      examples: { Scenarios: answered("Every scenario", "Scenarios", { content: scenarioList }) }
    }
  }
}

/** How a journey is told to go, for every start that the tests know. */
import { describe, expect, it } from "vitest"
import { decideStart } from "../../../../src/actors/journey/rules/decideStart.ts"
import { holdsFor } from "../../../../src/actors/journey/rules/preconditions.ts"
import { storyOf } from "../../../../src/actors/journey/rules/story.ts"
import {
  factsOf,
  impossible,
  outside,
  places,
  possible,
  sandbox,
  scenarioNames,
  shapes,
  startedAt
} from "./startedJourneys.ts"

const checks = [possible, outside, impossible]

const live = shapes.flatMap((shape) =>
  places.flatMap((handoverType) => checks.map((check) => ({ shape, handoverType, check })))
)

describe("the story of a live start", () => {
  it("comes to a completed handover, and charges each wallet that was held, once", () => {
    for (const { check, handoverType, shape } of live) {
      const story = storyOf(decideStart(factsOf(shape, { handoverType, check }), startedAt), possible, startedAt)
      expect(story.end.status, shape).toBe("COMPLETED")
      const charged = story.steps.flatMap(({ charges }) => charges)
      expect(charged.toSorted(), shape).toEqual(holdsFor(shape).map(({ wallet }) => wallet))
    }
  })

  it("asks the outside provider before it asks the customer", () => {
    const story = storyOf(decideStart(factsOf("IDENTITY_DELIVERY", { check: outside }), startedAt), outside, startedAt)
    expect(story.steps.slice(0, 3).map(({ on, who }) => [on, who])).toEqual([
      ["START", "CALLER"],
      ["IDENTITY_CHECK_BEING_STARTED", "IDENTITY_PROVIDER"],
      ["CUSTOMER_TO_VERIFY_IDENTITY", "CUSTOMER"]
    ])
  })
})

it("of a test start takes the branch of its scenario and comes to an end", () => {
  for (const scenario of scenarioNames) {
    for (const shape of shapes) {
      const facts = factsOf(shape, { livemode: false, sandbox: sandbox(scenario) })
      const { end, steps } = storyOf(decideStart(facts, startedAt), possible, startedAt)
      expect(end.status, `${shape} ${scenario}`).not.toBe("ACTIVE")
      expect(steps.length).toBeLessThan(20)
      expect(steps.flatMap(({ charges }) => charges)).toEqual([])
    }
  }
})

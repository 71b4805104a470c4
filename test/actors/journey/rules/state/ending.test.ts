/** A journey ends once: what is still done for a journey that has ended does not end the journey again. */
import { expect, it } from "vitest"
import { decide } from "../../../../../src/actors/journey/rules/decide.ts"
import { endsJourney } from "../../../../../src/actors/journey/rules/state/ending.ts"
import { reachableStates } from "../reachableStates.ts"
import { everyMessage } from "../startedJourneys.ts"

it("the decision that ends a journey is the only one that does, whatever is decided on the journey later", () => {
  const ends = { ofRunning: 0, ofEnded: 0 }
  let decisionsOnEnded = 0
  for (const { journey, now } of reachableStates) {
    for (const message of everyMessage) {
      const outcome = decide(journey, message, now)
      if (outcome._tag !== "Step") continue
      if (journey.status !== "ACTIVE") decisionsOnEnded += 1
      if (endsJourney(journey, outcome.journey)) ends[journey.status === "ACTIVE" ? "ofRunning" : "ofEnded"] += 1
    }
  }
  expect(decisionsOnEnded).toBeGreaterThan(0)
  expect(ends.ofRunning).toBeGreaterThan(0)
  expect(ends.ofEnded).toBe(0)
})

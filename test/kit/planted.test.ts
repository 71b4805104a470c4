/** The planted fault of docs/testkit.md, as it is printed there. */
import { expect, it } from "vitest"
import { decide, holdsInEveryLife, type History } from "journeys/testkit"

/** A rule of one's own: whoever cancels a journey is told so by an event. */
const isTold = ({ entries }: History) =>
  entries
    .filter(({ letter, outcome }) => letter.message._tag === "Cancel" && outcome._tag === "Step")
    .filter(({ events }) => !events.some(({ type }) => type === "journey.cancelled"))
    .map(() => "a cancel has no journey.cancelled")

/** The rules with a fault in them: a cancel after the identity check tells nobody. */
const forgetful: typeof decide = (journey, message, at) => {
  const outcome = decide(journey, message, at)
  const isForgotten = message._tag === "Cancel" && journey.identity?.status === "VERIFIED"
  return isForgotten && outcome._tag === "Step" ? { ...outcome, events: [] } : outcome
}

it("whoever cancels is told, and the rule finds the fault that was planted", () => {
  holdsInEveryLife(isTold)
  expect(() => holdsInEveryLife(isTold, { numRuns: 2_000 }, forgetful)).toThrow("Property failed")
})

/** The fault of docs/testkit.md that is planted in the endpoint's rules, as it is printed there. */
import { expect, it } from "vitest"
import { decideEndpoint, holdsForEveryEndpoint, type EndpointLife } from "journeys/testkit"

/** A rule of one's own: no attempt begins after the node was told to stop. */
const startsNothingLate = ({ entries }: EndpointLife) =>
  entries
    .filter(({ before, decision }) => before.isStopping && decision.actions.some(({ _tag }) => _tag === "Send"))
    .map(() => "an attempt begins after the node was told to stop")

/** The rules with a fault in them: they do not hear that the node stops. */
const deaf: typeof decideEndpoint = (state, message, now) => {
  const decision = decideEndpoint({ ...state, isStopping: false }, message, now)
  const isStopping = state.isStopping || message._tag === "Stopping"
  return { ...decision, state: { ...decision.state, isStopping } }
}

it("nothing begins after a stop, and the rule finds the fault that was planted", () => {
  holdsForEveryEndpoint(startsNothingLate)
  expect(() => holdsForEveryEndpoint(startsNothingLate, { numRuns: 2_000 }, deaf)).toThrow("Property failed")
})

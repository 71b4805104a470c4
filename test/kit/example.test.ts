/** The property test of docs/testkit.md, as it is printed there. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { play, sequences } from "journeys/testkit"

it("a journey that has ended keeps its ending, whatever comes", () => {
  fc.assert(
    fc.property(sequences({ clock: "steady" }), (life) => {
      const states = play(life).entries.map(({ after }) => after.status)
      const end = states.findIndex((status) => status !== "ACTIVE")
      expect(new Set(end === -1 ? [] : states.slice(end)).size).toBeLessThanOrEqual(1)
    })
  )
})

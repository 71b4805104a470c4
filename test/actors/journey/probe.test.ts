import { it, expect } from "vitest"
import { reachableStates, activeStates, testStates, everyStart, described } from "./reachableStates.ts"
it("explores", () => {
  console.log(everyStart.length, reachableStates.length, activeStates.length, testStates.length, described(reachableStates.at(-1)!))
  expect(1).toBe(1)
})

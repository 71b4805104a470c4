/** The steps of a journey's picture, in every state that a journey can come to. */
import { describe, expect, it } from "vitest"
import { stepStates } from "../../../../src/actors/journey/rules/stepStates.ts"
import { stepAskedOf } from "../../../../src/actors/journey/rules/state/waiting.ts"
import { described, reachableStates, type Reached } from "./reachableStates.ts"

const statesOf = ({ journey }: Reached) => stepStates(journey, new Map())
const stateOf = (reached: Reached, name: string) => statesOf(reached).find(({ step }) => step === name)?.state

describe("the steps of a journey", () => {
  it("are five, with something now in every running journey and nothing in one that has ended", () => {
    for (const reached of reachableStates) {
      const states = statesOf(reached)
      expect(states.length).toBe(5)
      const isNow = states.some(({ state }) => state === "NOW")
      expect(isNow, described(reached)).toBe(reached.journey.status === "ACTIVE")
    }
  })

  it("are all done or not needed once the handover is complete", () => {
    for (const reached of reachableStates.filter(({ journey }) => journey.status === "COMPLETED")) {
      for (const { state } of statesOf(reached)) expect(["DONE", "NOT_NEEDED"], described(reached)).toContain(state)
    }
  })

  it("show the step that the customer is asked for as now", () => {
    for (const reached of reachableStates) {
      const asked = stepAskedOf(reached.journey)
      if (asked !== null) expect(stateOf(reached, asked), described(reached)).toBe("NOW")
    }
  })

  it("leave out what the journey's shape does not have", () => {
    for (const reached of reachableStates) {
      const { handoverType, shape } = reached.journey
      expect(stateOf(reached, "FINANCE") === "NOT_NEEDED").toBe(
        !shape.startsWith("FINANCE_") || shape === "FINANCE_SALE"
      )
      expect(stateOf(reached, "VERIFY_IDENTITY") === "NOT_NEEDED").toBe(shape === "FINANCE_SALE")
      expect(stateOf(reached, "CONFIRM_ADDRESS") === "NOT_NEEDED").toBe(handoverType === "IN_STORE")
    }
  })

  it("show the end of a journey that was cut short as failed, and its steps ahead as not reached", () => {
    for (const reached of reachableStates.filter(
      ({ journey: { status } }) => status !== "ACTIVE" && status !== "COMPLETED"
    )) {
      expect(stateOf(reached, "END")).toBe("FAILED")
      expect(stateOf(reached, "RECORD_VIDEO"), described(reached)).toBe("NOT_REACHED")
      expect(statesOf(reached).map(({ state }) => state)).not.toContain("WAITING")
    }
  })

  it("tell whether the address was confirmed before a handover was cut short", () => {
    const cut = reachableStates.find(
      ({ journey }) => journey.handover?.status === "CANCELLED" && journey.handoverType === "HOME_DELIVERY"
    )
    if (cut === undefined) throw new Error("no home delivery was cut short")
    const confirmed = new Map([["delivery.location_confirmed", { id: "e", createdAt: 1 }]])
    const of = (newest: Parameters<typeof stepStates>[1]) =>
      stepStates(cut.journey, newest).find(({ step }) => step === "CONFIRM_ADDRESS")?.state
    expect([of(confirmed), of(new Map())]).toEqual(["DONE", "NOT_REACHED"])
  })
})

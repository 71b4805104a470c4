import { describe, expect, it } from "vitest"
import { isAskedAgain, stepsOf } from "../../../src/actors/customer/customerStep.ts"
import { stepAskedOf } from "../../../src/actors/journey/rules/state/waiting.ts"
import type { CustomerStep } from "../../../src/schema/journey/steps.ts"
import { nextAction } from "../../../src/actors/journey/rules/state/waiting.ts"
import type { NextAction } from "../../../src/schema/journey/steps.ts"
import { activeStates, described, reachableStates, type Reached } from "../journey/rules/reachableStates.ts"

const actions: Readonly<Record<CustomerStep, NextAction>> = {
  VERIFY_IDENTITY: "CUSTOMER_TO_VERIFY_IDENTITY",
  CONFIRM_ADDRESS: "CUSTOMER_TO_CONFIRM_ADDRESS",
  RECORD_VIDEO: "CUSTOMER_TO_RECORD_VIDEO"
}

/** What must hold of every one of many states; those of which it does not, in words. */
const wrong = (states: ReadonlyArray<Reached>, holds: (state: Reached) => boolean) =>
  states.filter((state) => !holds(state)).map(described)

describe("the step a customer is asked for", () => {
  it("is what the caller is told, in every state that waits for the customer first", () => {
    const awaited = activeStates.filter(({ journey }) => nextAction(journey)?.startsWith("CUSTOMER_TO_") === true)
    expect(awaited.length).toBeGreaterThan(10)
    expect(
      wrong(awaited, ({ journey }) => {
        const step = stepAskedOf(journey)
        return step !== null && actions[step] === nextAction(journey)
      })
    ).toEqual([])
  })

  it("is the identity check also while the caller is waited for, and otherwise nothing", () => {
    const others = activeStates.filter(({ journey }) => nextAction(journey)?.startsWith("CUSTOMER_TO_") !== true)
    expect(
      wrong(
        others,
        ({ journey }) =>
          stepAskedOf(journey) === null ||
          (stepAskedOf(journey) === "VERIFY_IDENTITY" && nextAction(journey) === "SEND_FINANCE_DECISION")
      )
    ).toEqual([])
  })

  it("is nothing once the journey has ended", () => {
    const ended = reachableStates.filter(({ journey }) => journey.status !== "ACTIVE")
    expect(wrong(ended, ({ journey }) => stepAskedOf(journey) === null)).toEqual([])
  })

  it("is asked again only after it was tried", () => {
    expect(
      wrong(
        activeStates,
        ({ journey }) =>
          !isAskedAgain(journey) || journey.identity?.status === "FAILED" || (journey.handover?.mismatches ?? 0) > 0
      )
    ).toEqual([])
    expect(activeStates.some(({ journey }) => isAskedAgain(journey))).toBe(true)
  })
})

describe("the steps of a journey", () => {
  it("show as the customer's turn the one step that is asked for, and no other", () => {
    expect(
      wrong(activeStates, ({ journey }) => {
        const now = stepsOf(journey).filter(({ standing }) => standing === "NOW")
        return now.length <= 1 && (now[0]?.step ?? null) === stepAskedOf(journey)
      })
    ).toEqual([])
  })

  it("never go back to later behind one that is the customer's turn", () => {
    expect(
      wrong(activeStates, ({ journey }) => {
        const standings = stepsOf(journey).map(({ standing }) => standing)
        const first = standings.indexOf("LATER")
        return first === -1 || standings.slice(first).every((standing) => standing === "LATER")
      })
    ).toEqual([])
  })
})

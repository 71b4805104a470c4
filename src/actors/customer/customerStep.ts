/**
 * A journey as its customer sees it: the steps in their order and where each stands. Pure. Which step is asked for now is
 * decided in `journey/rules/state/waiting.ts`; the words that tell the customer are the pages' business.
 */
import {
  customerSteps,
  STEPS,
  stepsWithOpenAddress,
  type CustomerStep,
  type StepRow,
  type Turn
} from "../../schema/journey/steps.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import { isPartOf, turnAt } from "../journey/rules/state/stepTurns.ts"
import { stepAskedOf } from "../journey/rules/state/waiting.ts"

export type StepName = "FINANCE" | CustomerStep

/** NOW: the customer's turn. WAITING: somebody else's. LATER: the journey has not come to the step. */
export type Standing = "DONE" | "NOW" | "WAITING" | "LATER"

export interface StepStanding {
  readonly step: StepName
  readonly standing: Standing
}

/** Whether the customer has tried the step that is asked for now, without success. */
export const isAskedAgain = (journey: Journey): boolean => {
  const step = stepAskedOf(journey)
  return step !== null && wasTried(STEPS[step].triedWhen, journey)
}

const wasTried = (triedWhen: StepRow["triedWhen"], { handover, identity }: Journey): boolean => {
  switch (triedWhen) {
    case "CHECK_FAILED":
      return identity?.status === "FAILED"
    case "VIDEO_MISMATCHED":
      return (handover?.mismatches ?? 0) > 0
    case "NEVER":
      return false
  }
}

/** Whether a confirmed delivery address may still be corrected: until the customer has sent the video. */
export const mayCorrectAddress = (journey: Journey): boolean => {
  const step = stepAskedOf(journey)
  return isPartOf("CONFIRM_ADDRESS", journey) && step !== null && stepsAfterAddress.has(step)
}

const stepsAfterAddress: ReadonlySet<CustomerStep> = new Set(
  stepsWithOpenAddress.filter((step) => step !== "CONFIRM_ADDRESS")
)

/** The steps of this journey: the finance decision, which others take, and then the customer's own. */
export const stepsOf = (journey: Journey): ReadonlyArray<StepStanding> => [
  ...(journey.finance === null
    ? []
    : [{ step: "FINANCE" as const, standing: journey.finance.status === "APPROVED" ? "DONE" : "WAITING" } as const]),
  ...customerSteps
    .filter((step) => isPartOf(step, journey))
    .map((step) => ({ step, standing: standingOf(turnAt(step, journey)) }))
]

const standingOf = (turn: Turn): Standing => {
  switch (turn) {
    case "LATER":
    case "DONE":
      return turn
    case "CUSTOMER":
      return "NOW"
    case "SERVICE":
    case "IDENTITY":
    case "VIDEO":
    case "CHECK_UNAVAILABLE":
      return "WAITING"
  }
}

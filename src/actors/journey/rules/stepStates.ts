/**
 * The steps of a journey with their states: what a picture of the journey shows. The customer's steps are the rows of `STEPS`
 * and their turns; finance comes before them and the end after. Pure.
 */
import type { OverviewStep, StepState } from "../../../schema/journey/overview.ts"
import { customerSteps, STEPS, type CustomerStep } from "../../../schema/journey/steps.ts"
import type { NewestEvents } from "./awaited.ts"
import { isFinancePending, isHandoverReady } from "./state/gates.ts"
import { isHandoverCutShort } from "./state/handover.ts"
import type { Journey } from "./state/Journey.ts"
import { firstOfHandover, isPartOf, statusAt, turnAt } from "./state/stepTurns.ts"

interface StateOfStep {
  readonly step: OverviewStep
  readonly state: StepState
  /** The status of the step's region; null before the region begins. */
  readonly status: string | null
}

export const stepStates = (journey: Journey, newest: NewestEvents): ReadonlyArray<StateOfStep> => [
  { step: "FINANCE", state: financeState(journey), status: journey.finance?.status ?? null },
  ...customerSteps.map((step) => ({
    step,
    state: customerState(step, journey, newest),
    status: statusAt(step, journey)
  })),
  { step: "END", state: endState(journey), status: journey.status }
]

const isRunning = ({ status }: Journey): boolean => status === "ACTIVE"

const financeState = (journey: Journey): StepState => {
  if (journey.finance === null) return "NOT_NEEDED"
  if (isFinancePending(journey)) return isRunning(journey) ? "NOW" : "NOT_REACHED"
  return journey.finance.status === "APPROVED" ? "DONE" : "FAILED"
}

const customerState = (step: CustomerStep, journey: Journey, newest: NewestEvents): StepState => {
  if (!isPartOf(step, journey)) return "NOT_NEEDED"
  const { doneWith, region } = STEPS[step]
  // The status of such a handover does not say how far the handover came.
  if (region === "handover" && isHandoverCutShort(journey)) return newest.has(doneWith) ? "DONE" : "NOT_REACHED"
  switch (turnAt(step, journey)) {
    case "DONE":
      return "DONE"
    case "LATER":
      if (!isRunning(journey)) return "NOT_REACHED"
      // The service sets the handover up: its first step is next.
      return isHandoverReady(journey) && step === firstOfHandover(journey) ? "NOW" : "WAITING"
    default:
      return isRunning(journey) ? "NOW" : "NOT_REACHED"
  }
}

const endState = ({ status }: Journey): StepState => {
  if (status === "ACTIVE") return "WAITING"
  return status === "COMPLETED" ? "DONE" : "FAILED"
}

/**
 * The steps of a journey with their states: what a picture of the journey shows. The customer's steps are the rows of `STEPS`
 * and their turns; finance comes before them and the end after. Pure.
 */
import type { OverviewStep, StepState } from "../../../schema/journey/overview.ts"
import { customerSteps, STEPS, type CustomerStep, type Turn } from "../../../schema/journey/steps.ts"
import type { NewestEvents } from "./awaited.ts"
import { isFinancePending, isHandoverReady } from "./gates.ts"
import { isHandoverCutShort, isHomeDelivery } from "./handover.ts"
import type { Journey } from "./Journey.ts"

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
    status: (STEPS[step].region === "identity" ? journey.identity?.status : journey.handover?.status) ?? null
  })),
  { step: "END", state: endState(journey), status: journey.status }
]

const isRunning = ({ status }: Journey): boolean => status === "ACTIVE"

const financeState = (journey: Journey): StepState => {
  if (journey.finance === null) return "NOT_NEEDED"
  if (isFinancePending(journey)) return isRunning(journey) ? "NOW" : "NOT_REACHED"
  return journey.finance.status === "APPROVED" ? "DONE" : "FAILED"
}

const hasStep = (step: CustomerStep, journey: Journey): boolean => {
  switch (STEPS[step].partOf) {
    case "JOURNEYS_WITH_IDENTITY_CHECK":
      return journey.identity !== null
    case "HOME_DELIVERIES":
      return isHomeDelivery(journey)
    case "EVERY_JOURNEY":
      return true
  }
}

const turnOf = (step: CustomerStep, { handover, identity }: Journey): Turn => {
  const status = STEPS[step].region === "identity" ? identity?.status : handover?.status
  const turns: Readonly<Record<string, Turn>> = STEPS[step].turns
  return (status === undefined ? undefined : turns[status]) ?? "LATER"
}

const customerState = (step: CustomerStep, journey: Journey, newest: NewestEvents): StepState => {
  if (!hasStep(step, journey)) return "NOT_NEEDED"
  // The status of such a handover does not say how far the handover came.
  if (step === "CONFIRM_ADDRESS" && isHandoverCutShort(journey)) {
    return newest.has("delivery.location_confirmed") ? "DONE" : "NOT_REACHED"
  }
  switch (turnOf(step, journey)) {
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

const firstOfHandover = (journey: Journey): CustomerStep =>
  isHomeDelivery(journey) ? "CONFIRM_ADDRESS" : "RECORD_VIDEO"

const endState = ({ status }: Journey): StepState => {
  if (status === "ACTIVE") return "WAITING"
  return status === "COMPLETED" ? "DONE" : "FAILED"
}

/**
 * A journey with its steps, as its company's people see it on one line: what is done, what is now, what comes, what failed, and
 * what this journey does not have. Forms only; the steps are worked out by the journey's rules.
 */
import { Schema } from "effect"
import { JourneyResource } from "./resource.ts"
import { customerSteps } from "./steps.ts"

/** In the order in which a journey comes to them. */
export const OverviewStep = Schema.Literals(["FINANCE", ...customerSteps, "END"])
export type OverviewStep = typeof OverviewStep.Type

/** NOT_REACHED: the journey ended before. NOT_NEEDED: journeys of this shape do not have the step. */
export const StepState = Schema.Literals(["DONE", "NOW", "WAITING", "FAILED", "NOT_REACHED", "NOT_NEEDED"])
export type StepState = typeof StepState.Type

const StepOverview = Schema.Struct({
  step: OverviewStep,
  state: StepState,
  status: Schema.NullOr(Schema.String).annotate({
    description:
      "The status of the region that the step belongs to, as the journey keeps it; null before the region begins"
  })
}).annotate({ identifier: "StepOverview" })

export const JourneyOverview = Schema.Struct({
  journey: JourneyResource,
  customerName: Schema.NullOr(Schema.String).annotate({
    description: "First and last name, as the list of journeys has them; null once the customer was erased"
  }),
  registration: Schema.NullOr(Schema.String).annotate({
    description: "Of the vehicle, as the list of journeys has it; null once the customer was erased"
  }),
  testClock: Schema.NullOr(Schema.String).annotate({
    description:
      "The test clock by which the journey runs: the times of the journey are the clock's. Null: it runs by the real time"
  }),
  steps: Schema.Array(StepOverview)
}).annotate({ identifier: "JourneyOverview" })
export type JourneyOverview = typeof JourneyOverview.Type

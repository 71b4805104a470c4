/** The customer's steps as a company's people read them: every page of the console that names a step takes its words from here. */
import type { CustomerStep } from "../../../schema/journey/steps.ts"

interface StepSays {
  /** In the picture of a journey's steps. */
  readonly name: string
  /** What the customer does, after "the customer". */
  readonly does: string
  /** In the list of what a journey waits for. */
  readonly awaited: string
}

export const stepWords: Readonly<Record<CustomerStep, StepSays>> = {
  VERIFY_IDENTITY: {
    name: "Identity check",
    does: "verifies their identity",
    awaited: "The customer's identity check"
  },
  CONFIRM_ADDRESS: {
    name: "Delivery address",
    does: "confirms the address",
    awaited: "The customer's address for the handover"
  },
  RECORD_VIDEO: {
    name: "Handover video",
    does: "records the handover video",
    awaited: "The customer's handover video"
  }
}

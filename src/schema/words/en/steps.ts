/** The steps that a journey can ask of its customer, in English. */
import type { CustomerStep } from "../../journey/steps.ts"

interface StepSays {
  /** The step in the list of all steps. */
  readonly name: string
  /** What the page behind the mailed link says before the customer signs in. */
  readonly invitation: string
  /** The heading of the page of a test journey. */
  readonly testTitle: string
}

export const englishSteps = {
  FINANCE: { name: "Finance decision" },
  VERIFY_IDENTITY: {
    name: "Verify your identity",
    invitation: "The next step is to verify your identity.",
    testTitle: "Simulate the identity check"
  },
  CONFIRM_ADDRESS: {
    name: "Confirm the delivery address",
    invitation: "The next step is to confirm where your vehicle is delivered.",
    testTitle: "Simulate the delivery address"
  },
  RECORD_VIDEO: {
    name: "Record the handover video",
    invitation: "The next step is to record your handover video.",
    testTitle: "Simulate the handover video"
  }
} satisfies Readonly<Record<CustomerStep, StepSays>> & { readonly FINANCE: Pick<StepSays, "name"> }

export type StepWords = typeof englishSteps

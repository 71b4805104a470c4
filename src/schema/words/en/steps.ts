/** The steps that a journey can ask of its customer, in English. */
import type { CustomerStep } from "../../journey/steps.ts"

interface StepSays {
  /** The step in the list of all steps. */
  readonly name: string
  /** What the journey's page says of the step, and the words of its button. */
  readonly about: string
  readonly start: string
  /** What the page behind the mailed link says before the customer signs in. */
  readonly invitation: string
  /** The heading of the page of a test journey. */
  readonly testTitle: string
}

export const englishSteps = {
  FINANCE: { name: "Finance decision" },
  VERIFY_IDENTITY: {
    name: "Verify your identity",
    about: "You need your passport, driving licence or identity card, and good light. It takes about two minutes.",
    start: "Start",
    invitation: "The next step is to verify your identity.",
    testTitle: "Simulate the identity check"
  },
  CONFIRM_ADDRESS: {
    name: "Confirm the delivery address",
    about: "Tell us where your vehicle is to be handed over.",
    start: "Continue",
    invitation: "The next step is to confirm where your vehicle is delivered.",
    testTitle: "Simulate the delivery address"
  },
  RECORD_VIDEO: {
    name: "Record the handover video",
    about: "A short video of you with the vehicle, when you have received it. It takes about a minute.",
    start: "Continue",
    invitation: "The next step is to record your handover video.",
    testTitle: "Simulate the handover video"
  }
} satisfies Readonly<Record<CustomerStep, StepSays>> & { readonly FINANCE: Pick<StepSays, "name"> }

export type StepWords = typeof englishSteps

/**
 * All that customers read of each step of a journey, in English: on the pages, in the mail that asks for the step, and on the
 * pages of a test journey. A mail tells the first name and the registration and nothing else of the customer.
 */
import type { CustomerStep, TestOutcomeOf } from "../../journey/steps.ts"

interface OfVehicle {
  readonly registration: string
}

interface StepMail {
  readonly subject: (given: OfVehicle) => string
  /** What mail programs show beside the subject. */
  readonly preview: string
  readonly ask: ReadonlyArray<(given: OfVehicle) => string>
  readonly button: string
}

interface StepSays<Outcome extends string> {
  /** The step in the list of all steps. */
  readonly name: string
  /** What the journey's page says of the step, and the words of its button. */
  readonly about: string
  readonly start: string
  /** What the page behind the mailed link says before the customer signs in. */
  readonly invitation: string
  /** The heading of the page of a test journey. */
  readonly testTitle: string
  /** The buttons of that page: what each outcome is. */
  readonly testOutcomes: Readonly<Record<Outcome, string>>
  /** `again`: the customer has tried the step before. */
  readonly mail: { readonly first: StepMail; readonly again: StepMail }
}

export const englishSteps = {
  FINANCE: { name: "Finance decision" },
  VERIFY_IDENTITY: {
    name: "Verify your identity",
    about: "You need your passport, driving licence or identity card, and good light. It takes about two minutes.",
    start: "Start",
    invitation: "The next step is to verify your identity.",
    testTitle: "Simulate the identity check",
    testOutcomes: {
      "identity.verified": "The identity is verified",
      "identity.under_review": "The check goes to a reviewer",
      "identity.failed": "The check fails"
    },
    mail: {
      first: {
        subject: ({ registration }) => `Please verify your identity for ${registration}`,
        preview: "It takes a few minutes on your phone. Have your identity document at hand.",
        ask: [
          ({ registration }) => `The next step towards ${registration} is yours: please verify your identity.`,
          () =>
            "It takes a few minutes on your phone. Have your identity document at hand; you will be asked for a photo of it and of yourself."
        ],
        button: "Verify your identity"
      },
      again: {
        subject: ({ registration }) => `Please try again to verify your identity for ${registration}`,
        preview: "The last try did not succeed. Good light helps most.",
        ask: [
          ({ registration }) =>
            `Your identity could not be verified yet, so the purchase of ${registration} waits for you.`,
          () => "Please try once more. Good light helps, and the whole of your identity document must be in the photo."
        ],
        button: "Try again"
      }
    }
  },
  CONFIRM_ADDRESS: {
    name: "Confirm the delivery address",
    about: "Tell us where your vehicle is to be handed over.",
    start: "Continue",
    invitation: "The next step is to confirm where your vehicle is delivered.",
    testTitle: "Simulate the delivery address",
    testOutcomes: {
      "delivery.location_confirmed": "The address is confirmed"
    },
    mail: {
      first: {
        subject: ({ registration }) => `Please confirm where ${registration} is to be delivered`,
        preview: "One question, one minute: which address shall it be?",
        ask: [
          ({ registration }) =>
            `The next step towards ${registration} is yours: please confirm the address it is to be brought to.`
        ],
        button: "Confirm the address"
      },
      again: {
        subject: ({ registration }) => `The delivery of ${registration} waits: please confirm the address again`,
        preview: "The delivery waits for your address.",
        ask: [
          ({ registration }) =>
            `The delivery of ${registration} still waits for you: please confirm the address it is to be brought to.`
        ],
        button: "Confirm the address"
      }
    }
  },
  RECORD_VIDEO: {
    name: "Record the handover video",
    about: "A short video of you with the vehicle, when you have received it. It takes about a minute.",
    start: "Continue",
    invitation: "The next step is to record your handover video.",
    testTitle: "Simulate the handover video",
    testOutcomes: {
      "delivery.video_uploaded": "A video is uploaded",
      "delivery.completed": "A video is uploaded and matches",
      "delivery.under_review": "A video is uploaded and goes to review"
    },
    mail: {
      first: {
        subject: ({ registration }) => `Please record the handover video of ${registration}`,
        preview: "When you take your vehicle over: a short video of you with it.",
        ask: [
          ({ registration }) => `Your vehicle, ${registration}, is ready to be handed over to you.`,
          () =>
            "When you take it over, please record a short video of yourself with it. It confirms that it was you; your face must be seen clearly."
        ],
        button: "Record the video"
      },
      again: {
        subject: ({ registration }) => `Please record the handover video of ${registration} again`,
        preview: "We could not tell from the last one that it was you.",
        ask: [
          ({ registration }) =>
            `The handover video of ${registration} could not be used to confirm that it was you who took the vehicle over.`,
          () => "Please record it once more. Good light helps, and your face must be seen clearly."
        ],
        button: "Record it again"
      }
    }
  }
} satisfies { readonly [Step in CustomerStep]: StepSays<TestOutcomeOf<Step>> } & {
  readonly FINANCE: { readonly name: string }
}

export type StepWords = typeof englishSteps

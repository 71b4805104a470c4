/** What the pages of a test journey offer instead of a step, in English. */
import type { TestOutcome } from "../../journey/steps.ts"

export const englishTestOutcomes = {
  nothingAsked: "Nothing is asked of the customer now",
  goesOn: "A test journey goes on by itself; reload to see where it stands.",
  choose:
    "Or choose what comes of this step. The journey waits for you while you are here; after ten minutes it goes on by itself.",
  samples: {
    about: "Samples to try this step with: choose them on the page as a customer would, or press the button.",
    document: "Sample of an identity document (JPEG)",
    selfie: "Sample photo of a face (JPEG)",
    video: "Sample video (MP4)",
    use: { VERIFY_IDENTITY: "Use the sample photos", RECORD_VIDEO: "Use the sample video" }
  },
  notPossible: "That outcome is not possible now",
  hasGoneOn: "The journey has gone on in the meantime.",
  toTheEnd: "Go on to the completed handover",
  events: {
    "identity.verified": "The identity is verified",
    "identity.under_review": "The check goes to a reviewer",
    "identity.failed": "The check fails",
    "delivery.location_confirmed": "The address is confirmed",
    "delivery.video_uploaded": "A video is uploaded",
    "delivery.completed": "A video is uploaded and matches",
    "delivery.under_review": "A video is uploaded and goes to review"
  } satisfies Readonly<Record<TestOutcome, string>>
}

export type TestOutcomeWords = typeof englishTestOutcomes

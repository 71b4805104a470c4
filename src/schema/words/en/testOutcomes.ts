/** What the pages of a test journey offer instead of a step, in English. `steps.ts` words the outcomes of each step. */

export const englishTestOutcomes = {
  nothingAsked: "Nothing is asked of the customer now",
  goesOn: "A test journey goes on by itself; reload to see where it stands.",
  staysHere:
    "This test journey takes no step by itself. Press the button, or let your program simulate what comes next.",
  orChoose: "Or choose what comes of this step.",
  choose: "Take this step on the page as a customer would, or choose what comes of it.",
  waits: "The journey waits for you while you are here; after ten minutes it goes on by itself.",
  waitsForGood: "This test journey takes no step by itself: it waits until you take the step or choose.",
  samples: {
    about: "Samples to try this step with: choose them on the page as a customer would, or press the button.",
    document: "Sample of an identity document (JPEG)",
    selfie: "Sample photo of a face (JPEG)",
    video: "Sample video (MP4)",
    use: { VERIFY_IDENTITY: "Use the sample photos", RECORD_VIDEO: "Use the sample video" }
  },
  notPossible: "That outcome is not possible now",
  hasGoneOn: "The journey has gone on in the meantime.",
  toTheEnd: "Go on to the completed handover"
}

export type TestOutcomeWords = typeof englishTestOutcomes

/** The limits of a journey, each with its reason. What one company may set for itself is in the company's settings. */
import { Duration } from "effect"

export const journeyLimits = {
  /** A journey that waits for the lender, the caller or the team ends after this long at the latest (X3). */
  safetyCap: Duration.days(180),
  /** A customer who gets a step back has at least this long, however little of the window was left (X2). */
  leastOnReturn: Duration.days(7),
  /** Clear mismatches of the video in a row: with this one the team looks at it (H4). */
  mismatchesBeforeReview: 3,
  /**
   * Attempts at the work that others do. `attemptWithin`: what one attempt may take; it is longer than a call to a
   * provider, which takes 10 seconds. `delays`: the pauses between attempts; after the last one the work is given up.
   */
  effects: {
    // F5 names the delays. A panel that is away this long is told about by the event submission_failed.
    SUBMIT_APPLICATION: {
      attemptWithin: Duration.seconds(30),
      delays: [Duration.seconds(1), Duration.seconds(5), Duration.seconds(30), Duration.minutes(2)]
    },
    // D2 names the delays.
    START_IDENTITY_CHECK: {
      attemptWithin: Duration.seconds(30),
      delays: [Duration.minutes(1), Duration.minutes(5), Duration.minutes(15)]
    },
    // Reading the frames of the longest video takes this long on a busy machine.
    CHECK_VIDEO: {
      attemptWithin: Duration.seconds(150),
      delays: [Duration.seconds(10), Duration.minutes(1), Duration.minutes(5)]
    }
  }
} as const

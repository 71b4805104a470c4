/** The limits of a journey, each with its reason. What one company may set for itself is in the company's settings. */
import { Duration } from "effect"

export const journeyLimits = {
  /** A journey that waits for the lender, the caller or the team ends after this long at the latest (X3). */
  safetyCap: Duration.days(180),
  /** A customer who gets a step back has at least this long, however little of the window was left (X2). */
  leastOnReturn: Duration.days(7),
  /**
   * A step that the customer does not do is asked for again by mail: twice soon after the ask, when most have only
   * forgotten it, and once while there is still time before the customer's window ends (M1).
   */
  reminders: {
    firstAfter: Duration.hours(24),
    secondAfter: Duration.hours(72),
    lastBeforeEnd: Duration.days(7)
  },
  /** A test journey waits this long for somebody who has opened one of its pages, instead of going on by itself (S1). */
  sandboxHeldFor: Duration.minutes(10),
  /** Pages that are opened within this time do not hold the journey anew: each hold is a commit. */
  sandboxHeldAnewAfter: Duration.minutes(1),
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
    },
    // Deletes a hundred parts of a video. The last delay comes again until it is done: a customer has asked for it (D7).
    DELETE_BIOMETRICS: {
      attemptWithin: Duration.seconds(60),
      delays: [Duration.seconds(1), Duration.seconds(10), Duration.minutes(1), Duration.minutes(10)]
    }
  }
} as const

/** The limits of one advance of a test clock. The schema says how far a clock may be advanced. */
import { Duration } from "effect"

export const advanceLimits = {
  /** Things that one advance does. A caller who wants more calls again. */
  mostSteps: 250,
  /** One advance, whatever receivers and mail do. The caller's connection is held for this long; below every usual time-out. */
  within: Duration.seconds(20),
  /** No other advance takes the clock for this long without a step. Longer than one step: a receiver may take ten seconds. */
  heldFor: Duration.seconds(30),
  /** The pause between two looks at whether what was begun has ended. A receiver on the same machine takes a few milliseconds. */
  lookEvery: Duration.millis(25),
  /** Mail that did not leave in this time is waited for no longer: it is the mail server's, and the journey does not wait for it. */
  mailWithin: Duration.seconds(3),
  /** An outside effect that was begun and did not report in this time is left to itself. */
  effectWithin: Duration.seconds(5)
} as const

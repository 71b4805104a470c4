/** The limits of the erasure of one customer. How often unfinished erasures are looked for stands in `runtime/work/limits.ts`. */
import { Duration } from "effect"

export const customerErasureLimits = {
  /**
   * After this time everything that held the customer's key when the key was deleted is over: it is longer than any request,
   * statement or piece of work may last. What was written in between is deleted then.
   */
  settledAfter: Duration.minutes(5),
  /** Looks for running journeys before the erasure goes on without: a journey that cannot be read cannot be cancelled. */
  mostLooks: 3,
  /** Journeys of one customer that are cancelled at once. */
  cancelledAtOnce: 4,
  /** What fails each time has a line of the log this often: an erasure, a journey that cannot be cancelled for it, a declined application. */
  saidAgainAfter: Duration.hours(1),
  /** Of each of these, so many that the log is known to have named: more than one look finds. */
  mostSaid: 2000
} as const

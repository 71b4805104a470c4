/** The limits of processes that the service starts. What they are given to do has limits of its own. */
import { Duration } from "effect"

export const processLimits = {
  /** A process that says nothing more has ended by then, and the log says how. A busy machine takes a while to tell. */
  endsWithin: Duration.seconds(2)
} as const

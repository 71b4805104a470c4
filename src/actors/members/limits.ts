/** The limits of members: how they sign in, how long a session of the console lives, and how many people and passkeys there are. */
import { Duration } from "effect"

export const memberLimits = {
  /** A session of the console ends after this long without a request: a lunch and a meeting do not cost a new mail. */
  sessionIdleTime: Duration.hours(3),
  /** A session of the console ends after this long in any case: one working day. */
  sessionLifetime: Duration.hours(12),
  /** That a session is used is written this often. A page asks for several things, and each need not be a write. */
  sessionSeenEvery: Duration.minutes(1)
} as const

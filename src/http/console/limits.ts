/** The limits of the console's pages. What a session may live, and how many rows a list has, is said elsewhere. */
import { Duration } from "effect"

export const consoleLimits = {
  /** Characters of the sentence that a page shows once, after a form: one line. */
  longestFlash: 200,
  /** Characters of the path that somebody is led back to after signing in. A link in a mail has about 80. */
  longestWayBack: 200,
  /** Deliveries, and resends, that the page of an endpoint shows: a look at how it goes. */
  latestShown: 5,
  /** How far back a resend goes unless its owner says else: a receiver that was away overnight. */
  resendAskedFor: Duration.days(1),
  /** A resend whose events are all on their way is watched so long: first attempts take seconds, retries take days. */
  progressWatched: Duration.minutes(2),
  /** An attempt that is due so soon is waited for by the page of its delivery. */
  dueSoon: Duration.seconds(10)
} as const

/** The limits of the console's pages. What a session may live, and how many rows a list has, is said elsewhere. */
import { Duration } from "effect"

export const consoleLimits = {
  /** Waits that an operator asks about: a working day, a day, a weekend, a week, a month. */
  waitsAskedFor: [Duration.hours(8), Duration.days(1), Duration.days(3), Duration.days(7), Duration.days(30)],
  /** Characters of the sentence that a page shows once, after a form: one line. */
  longestFlash: 200,
  /** A typed text of more characters is shown again over several lines: what a field of the narrowest telephone shows, and more. */
  longestLine: 60,
  /** Free credits at which the overview warns: a day of a small dealer's starts, so that there is time to ask for more. */
  fewCredits: 10,
  /** Characters of the path that somebody is led back to after signing in. A link in a mail has about 80. */
  longestWayBack: 200,
  /** Deliveries, and resends, that the page of an endpoint shows: a look at how it goes. */
  latestShown: 5,
  /** How far back a resend goes unless its owner says else: a receiver that was away overnight. */
  resendAskedFor: Duration.days(1),
  /** A resend whose events are all on their way is watched so long: first attempts take seconds, retries take days. */
  progressWatched: Duration.minutes(2),
  /** An attempt that is due so soon is waited for by the page of its delivery. */
  dueSoon: Duration.seconds(10),
  /** Lines of a journey's timeline that its page shows at first, and by how many more each time. */
  timelineLines: 25,
  /**
   * Pages of journeys that update themselves in one session. A browser opens six connections to a host; the others are for
   * its pages.
   */
  livePagesOfSession: 4,
  /** The same of one node: two statements a second look at all of their journeys and sessions, which costs some milliseconds. */
  livePagesOfNode: 300,
  /** Lines of a list that is saved as a file: a hundred pieces, which a node reads within seconds and holds in a few megabytes. */
  mostFileLines: 10_000,
  /** How late a page hears of a change, and its stream of the end of its session. */
  lookForChangesEvery: Duration.seconds(1),
  /** A list, the overview, and who else has a review open are fetched again so often while they are looked at: a few statements each time. */
  renewedEvery: Duration.seconds(30),
  /** The same of a delivery that is attempted, and of a resend: somebody waits for the end. */
  progressRenewedEvery: Duration.seconds(2),
  /** A proxy between must not take a quiet stream for a dead one. */
  streamSaysSomethingEvery: Duration.seconds(20),
  /** After this a browser connects anew, perhaps to another node. */
  streamEndsAfter: Duration.minutes(30)
} as const

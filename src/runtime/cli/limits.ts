/** The limits of the command line. Limits of the service are the service's own: the command line lets the service judge. */
import { Duration, Schedule } from "effect"

export const cliLimits = {
  /** A ping or a sample waits for the receiver, which has ten seconds; the rest answers at once. */
  answerWithin: Duration.seconds(30),
  /** Characters of a receiver's answer that fit into a line of a table; `--json` shows all that was kept. */
  longestAnswerShown: 60,
  /** The pause of `listen` between two looks for events: two requests a second, 120 of the 500 a minute that a key has. */
  betweenLooks: Duration.millis(500),
  /** The wait after RATE_LIMITED when the answer does not say how long. */
  usualRetryAfter: Duration.seconds(1)
} as const

/** The waits of `listen` for the service and for the local server: from a second on, doubling, to half a minute. */
export const listenRetries = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")])

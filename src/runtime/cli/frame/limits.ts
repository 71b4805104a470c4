/** The limits of the command line. Limits of the service are the service's own: the command line lets the service judge. */
import { Duration } from "effect"

export const cliLimits = {
  /** A ping or a sample waits for the receiver, which has ten seconds; the rest answers at once. */
  answerWithin: Duration.seconds(30),
  /** Characters of a receiver's answer that fit into a line of a table; `--json` shows all that was kept. */
  longestAnswerShown: 60
} as const

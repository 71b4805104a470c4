/** The limits of `npm run demo`, each with its reason. */
import { Duration, Schedule } from "effect"

export const demoLimits = {
  /** One step a second: fast enough to watch in one go, slow enough to read. Written as the settings take it. */
  sandboxStep: "1 second",
  sandboxCallerStep: "4 seconds",
  /** Far longer than five journeys take: the demo must end whatever happens. */
  endWithin: Duration.seconds(60),
  /** The delivery log is written just after the receiver has answered, so the demo looks again until the two agree. */
  lookEvery: Duration.millis(100),
  mostLooks: 100,
  /** A busy machine answers 503 for a moment: the demo asks again, for half a minute at most. */
  askAgain: Schedule.upTo(Schedule.exponential("500 millis"), { times: 6 })
} as const

/** The limits of telemetry, each with its reason: how often numbers are looked up and sent, and how much may be on its way. */
import { Duration } from "effect"

export const telemetryLimits = {
  /** How often each kind leaves, unless a thousand of it have gathered before. */
  tracesEvery: Duration.seconds(2),
  logsEvery: Duration.seconds(1),
  metricsEvery: Duration.seconds(10),
  /** What is left is sent while the service stops, if that takes no longer than this. */
  shutdownWithin: Duration.seconds(2),
  /** A receiver that takes longer costs what was meant for it. */
  answerWithin: Duration.seconds(3),
  /** Requests at once, traces, metrics and logs together: a frozen receiver must not hold a minute's spans in memory. */
  mostRequests: 6,
  /** How often the numbers about the whole database are looked up. */
  lookEvery: Duration.seconds(5),
  /** Counting journeys walks an index, so only every third look counts, and no count goes further than this. */
  looksPerCount: 3,
  mostCounted: 10_000,
  /** Between two looks at the event loop: short enough to see a pause, long enough to cost nothing. */
  eventLoopEveryMillis: 20
} as const

/** The limits of `journeys listen`: how often it looks for events, and how it waits for the service and for the local server. */
import { Duration, Schedule } from "effect"

export const listenLimits = {
  /** The pause between two looks for events: two requests a second, 120 of the 500 a minute that a key has. */
  betweenLooks: Duration.millis(500),
  /** The wait after RATE_LIMITED when the answer does not say how long. */
  usualRetryAfter: Duration.seconds(1)
} as const

/** The waits for the service and for the local server: from a second on, doubling, to half a minute. */
export const listenRetries = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")])

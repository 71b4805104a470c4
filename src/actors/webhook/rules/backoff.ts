/**
 * The back-off between the attempts of a delivery (§6.3.4), as one Effect `Schedule`. A delivery's due time in the table is
 * computed by stepping this schedule, so that a restart changes nothing. The delays themselves stand in the table of limits.
 */
import { Schedule } from "effect"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { delaysOf } from "../../kernel/delaysOf.ts"

/** One step for each failed attempt: the delay before the next one. The schedule ends when the delivery is given up. */
export const backoff = webhookLimits.retryDelays
  .map((delay) => Schedule.duration(delay))
  .reduce((before, next) => Schedule.concat(before, next))

/** The delays between one attempt and the next, in their order. */
export const retryDelaysMillis = delaysOf(backoff)

/** From the first attempt at a delivery to its last one, in milliseconds, if each one fails at once. */
export const longestRetried = retryDelaysMillis.reduce((sum, delay) => sum + delay, 0)

/** The first attempt, and one after each delay. */
export const mostAttempts = retryDelaysMillis.length + 1

/** When the next attempt is due after `tries` failed ones, of which the last failed at `failedAt`; null: given up. */
export const nextAttemptAt = (tries: number, failedAt: number): number | null => {
  const delay = retryDelaysMillis[tries - 1]
  return delay === undefined ? null : failedAt + delay
}

/**
 * The back-off of §6.3.4 as one Effect `Schedule`; the durable due time of a delivery comes from stepping this value.
 */
import { Schedule } from "effect"
import { delaysOf } from "../../kernel/delaysOf.ts"

/** One step a failed attempt: the delay before the next one. It ends when the delivery is given up. */
export const backoff = (["1 minute", "5 minutes", "30 minutes", "2 hours", "6 hours", "12 hours", "24 hours"] as const)
  .map((delay) => Schedule.duration(delay))
  .reduce((before, next) => Schedule.concat(before, next))

/** Milliseconds between one attempt and the next, in their order. */
export const retryDelays = delaysOf(backoff)

/** The first attempt, and one after each delay. */
export const mostAttempts = retryDelays.length + 1

/** When the next attempt is due after `tries` failed ones, the last of them at `failedAt`; null: given up. */
export const nextAttempt = (tries: number, failedAt: number): number | null => {
  const delay = retryDelays[tries - 1]
  return delay === undefined ? null : failedAt + delay
}

/**
 * When a mail that could not be handed over is tried again: soon at first, then ever more rarely, for three days. One
 * Effect `Schedule`; the durable due time of a mail comes from stepping this value.
 */
import { Schedule } from "effect"
import { delaysOf } from "../kernel/delaysOf.ts"

/** Doubling stops here: a server that is repaired is noticed within this time. */
const longestGap = Schedule.spaced("6 hours")

/** Ten doublings take eight and a half hours, the rest fills three days. */
const retries = 21

/** One step a failed try: the delay before the next one. It ends when the mail is given up. */
export const retrySchedule = Schedule.min([Schedule.exponential("30 seconds"), longestGap]).pipe(
  Schedule.upTo({ times: retries })
)

/** Milliseconds between one try and the next, in their order. */
export const retryDelays = delaysOf(retrySchedule)

/** When the next try is due after `tries` failed ones, the last of them at `failedAt`; null: given up. */
export const nextTry = (tries: number, failedAt: number): number | null => {
  const delay = retryDelays[tries - 1]
  return delay === undefined ? null : failedAt + delay
}

/**
 * When a mail that could not be sent is tried again: soon at first, then ever more rarely, for three days. One Effect
 * `Schedule` says it; the due time that the database stores comes from stepping this schedule.
 */
import { Schedule } from "effect"
import { delaysOf } from "../../kernel/delaysOf.ts"
import { mailLimits } from "../limits.ts"

/** One step for each failed try: the delay before the next try. The schedule ends when the mail is given up. */
const retrySchedule = Schedule.min([
  Schedule.exponential(mailLimits.firstRetryAfter),
  Schedule.spaced(mailLimits.longestRetryDelay)
]).pipe(Schedule.upTo({ times: mailLimits.retries }))

/** Milliseconds between one try and the next, in order. */
export const mailRetryDelays = delaysOf(retrySchedule)

/** When the next try is due after `tries` failed tries, the last of which failed at `failedAt`. Null: the mail is given up. */
export const nextTry = (tries: number, failedAt: number): number | null => {
  const delay = mailRetryDelays[tries - 1]
  return delay === undefined ? null : failedAt + delay
}

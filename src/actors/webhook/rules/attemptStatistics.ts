/**
 * How the attempts at an endpoint went, hour by hour: how many arrived, and how long the receiver took. Each hour is a few
 * counts and not a list of attempts: the time of an attempt falls into one of some dozens of steps, each a fifth longer than
 * the one before. So statistics cost the same for ten attempts as for a million, and a time is told as at most the end of its
 * step. Which attempts count is decided in `attemptOutcome.ts`.
 */
import { Duration } from "effect"
import { timestamp, timestampOrNull } from "../../../schema/moment.ts"
import type {
  AttemptHourResource,
  EndpointStatisticsResource,
  ReceiverTimes
} from "../../../schema/webhook/EndpointStatistics.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import type { WebhookAttemptOutcome } from "./attemptOutcome.ts"

/** Attempts of one hour whose receiver took about the same time. */
export interface AttemptCount {
  /** The beginning of the hour in epoch milliseconds. */
  readonly hour: number
  readonly step: number
  readonly delivered: number
  readonly failed: number
}

export interface AttemptCounts {
  readonly counts: ReadonlyArray<AttemptCount>
  readonly pending: number
  /** When the oldest event happened that waits, in epoch milliseconds. */
  readonly oldestPendingAt: number | null
}

/** Steps between a time and its double. */
const stepsOfDoubling = 4

/** The step of attempts at which the receiver had no part: nothing was heard, and not for want of time. */
const nothingHeard = -1

/** The step of an attempt's time: the first whose end is not earlier. */
export const timeStepOf = ({
  durationMillis,
  error,
  httpStatus
}: Pick<WebhookAttemptOutcome, "durationMillis" | "error" | "httpStatus">): number => {
  if (httpStatus === null && error !== "TIMEOUT") return nothingHeard
  return Math.ceil(stepsOfDoubling * Math.log2(Math.max(1, durationMillis)))
}

const endOf = (step: number): number => Math.round(2 ** (step / stepsOfDoubling))

const hourMillis = Duration.toMillis(webhookLimits.countedTogether)

/** The first of so many hours, of which the present one is the last. */
export const firstHour = (now: number, hours: number): number =>
  Math.floor(now / hourMillis) * hourMillis - (hours - 1) * hourMillis

const total = (counts: ReadonlyArray<AttemptCount>, of: (count: AttemptCount) => number): number =>
  counts.reduce((sum, count) => sum + of(count), 0)

const attemptsOf = ({ delivered, failed }: AttemptCount): number => delivered + failed

/** The time in which this share of the receiver's answers came; null when there were none. */
const timeOfShare = (counts: ReadonlyArray<AttemptCount>, share: number): number | null => {
  const heard = counts.filter(({ step }) => step !== nothingHeard).toSorted((one, other) => one.step - other.step)
  const wanted = total(heard, attemptsOf) * share
  let seen = 0
  for (const count of heard) {
    seen += attemptsOf(count)
    if (seen >= wanted) return endOf(count.step)
  }
  return null
}

const timesOf = (counts: ReadonlyArray<AttemptCount>): ReceiverTimes => ({
  delivered: total(counts, ({ delivered }) => delivered),
  failed: total(counts, ({ failed }) => failed),
  p50Millis: timeOfShare(counts, 0.5),
  p95Millis: timeOfShare(counts, 0.95)
})

/** The statistics of the last hours: every hour is there, also one without an attempt. */
export const endpointStatistics = (
  { counts, oldestPendingAt, pending }: AttemptCounts,
  now: number,
  hours: number
): EndpointStatisticsResource => {
  const since = firstHour(now, hours)
  const byHour = Map.groupBy(counts, ({ hour }) => hour)
  const perHour = Array.from({ length: hours }, (_, at): AttemptHourResource => {
    const hour = since + at * hourMillis
    return { hour: timestamp(hour), ...timesOf(byHour.get(hour) ?? []) }
  })
  const all = timesOf(counts)
  const attempts = all.delivered + all.failed
  return {
    since: timestamp(since),
    ...all,
    successRate: attempts === 0 ? null : all.delivered / attempts,
    pending,
    oldestPendingAt: timestampOrNull(oldestPendingAt),
    perHour
  }
}

/**
 * How the attempts at a webhook endpoint went lately, as the settings API shows it: success, the receiver's time, and what
 * waits. How attempts are counted is in `actors/webhook/rules/attemptStatistics.ts`.
 */
import { Schema } from "effect"
import { wholeNumber } from "../decoding/numbers.ts"
import { webhookLimits } from "./limits.ts"

const { mostStatisticsHours, usualStatisticsHours } = webhookLimits

export const StatisticsQuery = Schema.Struct({
  hours: Schema.optionalKey(
    wholeNumber(1, mostStatisticsHours).annotate({
      default: usualStatisticsHours,
      description: "How many hours, the present one included"
    })
  )
})

const share = (description: string) => Schema.NullOr(Schema.Int).annotate({ description })

const times = {
  delivered: Schema.Int.annotate({ description: "Attempts that were answered 2xx" }),
  failed: Schema.Int.annotate({ description: "Attempts that failed" }),
  p50Millis: share("Half of the answers came within this time; null without an answer"),
  p95Millis: share("95 of 100 answers came within this time. An answer that never came counts with the time waited.")
}

const Times = Schema.Struct(times)
export type ReceiverTimes = typeof Times.Type

export const AttemptHourResource = Schema.Struct({ hour: Schema.String, ...times }).annotate({
  identifier: "AttemptHour"
})
export type AttemptHourResource = typeof AttemptHourResource.Type

export const EndpointStatisticsResource = Schema.Struct({
  /** The beginning of the first hour. */
  since: Schema.String,
  ...times,
  /** From 0 to 1; null when nothing was attempted. */
  successRate: Schema.NullOr(Schema.Finite),
  /** Deliveries that wait for their first or next attempt. */
  pending: Schema.Int,
  /** When the oldest event happened that waits. */
  oldestPendingAt: Schema.NullOr(Schema.String),
  /** Oldest first. */
  perHour: Schema.Array(AttemptHourResource)
}).annotate({ identifier: "EndpointStatistics" })
export type EndpointStatisticsResource = typeof EndpointStatisticsResource.Type

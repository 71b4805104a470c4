/** The statistics of an endpoint, made of counts: what they say must be what a list of all attempts would say. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  endpointStatistics,
  firstHour,
  timeStepOf,
  type AttemptCount
} from "../../../../src/actors/webhook/rules/attemptStatistics.ts"

const hourMillis = 3_600_000
const now = Date.parse("2026-01-15T10:31:07.218Z")
const answered = (durationMillis: number) => ({ durationMillis, error: null, httpStatus: 200 })
const counted = (durations: ReadonlyArray<number>, hour = firstHour(now, 1)): ReadonlyArray<AttemptCount> =>
  [...Map.groupBy(durations, (millis) => timeStepOf(answered(millis)))].map(([step, some]) => ({
    hour,
    step,
    delivered: some.length,
    failed: 0
  }))
const statisticsOf = (counts: ReadonlyArray<AttemptCount>, hours = 1) =>
  endpointStatistics({ counts, pending: 0, oldestPendingAt: null }, now, hours)

describe("the receiver's time", () => {
  it("is told as what it was at most, and never more than a fifth too long", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 }), (durations) => {
        const { p50Millis, p95Millis } = statisticsOf(counted(durations))
        const sorted = durations.toSorted((a, b) => a - b)
        for (const [share, told] of [
          [0.5, p50Millis],
          [0.95, p95Millis]
        ] as const) {
          const real = Math.max(1, sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
          expect(told).toBeGreaterThanOrEqual(Math.floor(real))
          expect(told).toBeLessThanOrEqual(Math.ceil(real * 1.2))
        }
      })
    )
  })

  it("leaves out attempts at which nothing was heard, and counts a time-out with the time that was waited", () => {
    const refused = timeStepOf({ durationMillis: 2, error: "CONNECTION_REFUSED", httpStatus: null })
    const late = timeStepOf({ durationMillis: 10_000, error: "TIMEOUT", httpStatus: null })
    const hour = firstHour(now, 1)
    const failed = (step: number) => ({ hour, step, delivered: 0, failed: 9 })
    expect(statisticsOf([failed(refused)])).toMatchObject({ failed: 9, successRate: 0, p50Millis: null })
    expect(statisticsOf([failed(refused), failed(late)]).p50Millis).toBeGreaterThanOrEqual(10_000)
  })
})

describe("the hours", () => {
  it("are all there, oldest first, and the present one is the last", () => {
    const [first, , third] = [0, 1, 2].map((at) => firstHour(now, 3) + at * hourMillis)
    const { perHour, since, ...all } = statisticsOf([...counted([5, 5], first), ...counted([7], third)], 3)
    expect(since).toBe("2026-01-15T08:00:00.000Z")
    expect(perHour.map(({ delivered, hour }) => [hour, delivered])).toEqual([
      ["2026-01-15T08:00:00.000Z", 2],
      ["2026-01-15T09:00:00.000Z", 0],
      ["2026-01-15T10:00:00.000Z", 1]
    ])
    expect(all).toMatchObject({ delivered: 3, failed: 0, successRate: 1 })
  })

  it("have no rate and no time when nothing was attempted", () => {
    expect(statisticsOf([])).toMatchObject({ successRate: null, p50Millis: null, p95Millis: null })
  })
})

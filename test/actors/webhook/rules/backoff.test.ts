/** The back-off between attempts: the delays of the specification, and the due times that follow from them. */
import { it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import { backoff, mostAttempts } from "../../../../src/actors/webhook/rules/backoff.ts"
import { nextAttemptAt, retryDelaysMillis } from "../../../../src/actors/webhook/rules/backoff.ts"
import { delaysOf } from "../../../../src/actors/kernel/delaysOf.ts"
import { Schedule } from "effect"

const minute = 60_000
const hour = 60 * minute
/** §6.3.4, written out once more on purpose: the schedule must say the same. */
const specified = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour]

describe("the back-off", () => {
  test("retries after the seven delays of the specification and then gives up", () => {
    expect(retryDelaysMillis).toEqual(specified)
    expect(mostAttempts).toBe(8)
  })

  test("says when each next attempt is due, counted from the failure", () => {
    const failedAt = 1_800_000_000_000
    expect(Array.from({ length: 8 }, (_, at) => nextAttemptAt(at + 1, failedAt))).toEqual([
      ...specified.map((delay) => failedAt + delay),
      null
    ])
  })

  it.effect("is one schedule: an effect that is retried by it runs exactly at the stored due times", () =>
    Effect.gen(function* () {
      const began = yield* Clock.currentTimeMillis
      const times: Array<number> = []
      const attempt = Effect.flatMap(Clock.currentTimeMillis, (now) => {
        times.push(now)
        return Effect.fail("no")
      })
      const fiber = yield* Effect.forkChild(Effect.exit(Effect.retry(attempt, backoff)))
      yield* TestClock.adjust("60 hours")
      yield* Fiber.await(fiber)
      const due = [began]
      for (let tries = 1; tries < mostAttempts; tries++) due.push(nextAttemptAt(tries, due.at(-1) ?? 0) ?? Number.NaN)
      expect(times).toEqual(due)
    })
  )
})

describe("the delays of a schedule", () => {
  test("are found for any schedule that ends", () => {
    expect(delaysOf(Schedule.upTo(Schedule.exponential("1 second"), { times: 4 }))).toEqual([1000, 2000, 4000, 8000])
  })
})

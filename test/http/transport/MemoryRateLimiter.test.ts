import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { RateLimiter, type Allowance } from "../../../src/http/RateLimiter.ts"
import * as MemoryRateLimiter from "../../../src/runtime/MemoryRateLimiter.ts"

const minute = 60_000

/** The rule in its plainest form: every admitted time is kept, and those within the last minute are counted. */
class Model {
  #admitted: ReadonlyArray<{ readonly bucket: string; readonly at: number }> = []

  ask(bucket: string, limit: number, now: number, isTaken: boolean): Allowance {
    const inSpan = () => this.#admitted.filter((one) => one.bucket === bucket && one.at > now - minute)
    const admitted = inSpan().length < limit
    if (admitted && isTaken) this.#admitted = [...this.#admitted, { bucket, at: now }]
    const counted = inSpan()
    const oldest = counted[0]
    return {
      admitted,
      limit,
      remaining: limit - counted.length,
      resetSeconds: oldest === undefined ? 0 : Math.ceil((oldest.at + minute - now) / 1000)
    }
  }

  /** The most that any span of a minute, half open, ever held. */
  busiest(bucket: string): number {
    const times = this.#admitted.filter((one) => one.bucket === bucket).map((one) => one.at)
    return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + minute).length))
  }
}

const asks = fc.array(
  fc.record({
    wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40_000 }), fc.constantFrom(1, 999, minute - 1, minute)),
    bucket: fc.constantFrom("a", "b"),
    isTaken: fc.boolean()
  }),
  { maxLength: 120 }
)

describe("the rate limiter in memory", () => {
  it.effect("answers like the plainest model of a sliding minute, whatever comes when", () =>
    Effect.forEach(
      fc.sample(fc.tuple(asks, fc.integer({ min: 1, max: 20 })), { numRuns: 200, seed: 20_260_115 }),
      ([sequence, limit]) =>
        Effect.gen(function* () {
          const limiter = yield* RateLimiter
          const model = new Model()
          for (const { bucket, isTaken, wait } of sequence) {
            yield* TestClock.adjust(wait)
            const now = yield* Clock.currentTimeMillis
            const answer = yield* isTaken ? limiter.take(bucket, limit) : limiter.look(bucket, limit)
            expect(answer).toEqual(model.ask(bucket, limit, now, isTaken))
          }
          for (const bucket of ["a", "b"]) expect(model.busiest(bucket)).toBeLessThanOrEqual(limit)
        }).pipe(Effect.provide(MemoryRateLimiter.layer, { local: true })),
      { discard: true }
    )
  )

  it.effect("admits 500 in a minute, and the next when the first is a minute old", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      for (let at = 0; at < 500; at++) {
        expect(yield* limiter.take("key", 500)).toMatchObject({ admitted: true, remaining: 499 - at })
        yield* TestClock.adjust(10)
      }
      expect(yield* limiter.take("key", 500)).toEqual({ admitted: false, limit: 500, remaining: 0, resetSeconds: 55 })
      yield* TestClock.adjust(54_999)
      expect(yield* limiter.take("key", 500)).toMatchObject({ admitted: false, resetSeconds: 1 })
      yield* TestClock.adjust(1)
      expect(yield* limiter.take("key", 500)).toMatchObject({ admitted: true, remaining: 0 })
      expect(yield* limiter.take("key", 500)).toMatchObject({ admitted: false, resetSeconds: 1 })
    }).pipe(Effect.provide(MemoryRateLimiter.layer))
  )

  it.effect("does not count what it refuses, so that a caller who keeps asking gets in again", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      yield* limiter.take("key", 1)
      for (let second = 0; second < 59; second++) {
        yield* TestClock.adjust(1000)
        expect((yield* limiter.take("key", 1)).admitted).toBe(false)
      }
      yield* TestClock.adjust(1000)
      expect((yield* limiter.take("key", 1)).admitted).toBe(true)
    }).pipe(Effect.provide(MemoryRateLimiter.layer))
  )

  it.effect("counts on after a quiet bucket was forgotten", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      yield* limiter.take("key", 2)
      yield* TestClock.adjust(10 * minute)
      expect(yield* limiter.look("key", 2)).toEqual({ admitted: true, limit: 2, remaining: 2, resetSeconds: 0 })
      expect((yield* limiter.take("key", 2)).remaining).toBe(1)
      expect((yield* limiter.take("key", 2)).remaining).toBe(0)
      expect((yield* limiter.take("key", 2)).admitted).toBe(false)
    }).pipe(Effect.provide(MemoryRateLimiter.layer))
  )
})

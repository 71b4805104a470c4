/**
 * The rule of the rate limiter in its simplest form: it keeps every admitted time and counts those within the last
 * minute. The answers of the real limiters are compared with it.
 */
import * as fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { expect, it } from "vitest"
import type { Allowance } from "../../src/http/server/admission/RateLimiter.ts"

export const minute = 60_000

class Model {
  readonly #admitted: Array<{ readonly bucket: string; readonly at: number }> = []

  /** The right answer at this time. */
  answer(bucket: string, limit: number, now: number, isTaken: boolean): Allowance {
    const counted = this.#admitted.filter((one) => one.bucket === bucket && one.at > now - minute)
    const admitted = counted.length < limit
    const count = counted.length + (admitted && isTaken ? 1 : 0)
    const oldest = counted[0]?.at ?? now
    return {
      admitted,
      limit,
      remaining: limit - count,
      resetSeconds: count === 0 ? 0 : Math.ceil((oldest + minute - now) / 1000)
    }
  }

  admit(bucket: string, at: number): void {
    this.#admitted.push({ bucket, at })
  }

  /** The most admitted requests in any span of a minute (half open). */
  busiest(bucket: string): number {
    const times = this.#admitted.filter((one) => one.bucket === bucket).map((one) => one.at)
    return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + minute).length))
  }
}

/** A limiter with a clock that tests can move, and that may also move by itself. */
export interface LimiterWorld {
  readonly ask: (bucket: string, limit: number, isTaken: boolean) => Promise<Allowance>
  readonly passes: (millis: number) => Promise<void>
  readonly stepsBack: (millis: number) => Promise<void>
  readonly now: () => Promise<number>
  /** The time at which the bucket's last admitted request was counted. */
  readonly lastCounted: (bucket: string) => Promise<number>
  readonly stop: () => Promise<void>
}

const asks = fc.array(
  fc.record({
    wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40_000 }), fc.constantFrom(1, 999, minute - 1, minute)),
    bucket: fc.constantFrom("a", "b"),
    isTaken: fc.boolean()
  }),
  { maxLength: 60 }
)

/** The contract of every limiter. */
export const keepsTheMinute = (start: () => Promise<LimiterWorld>, numRuns: number): void => {
  it("answers like the plainest model of a sliding minute, whatever comes when", async () => {
    for (const [sequence, limit] of fc.sample(fc.tuple(asks, fc.integer({ min: 1, max: 20 })), {
      numRuns,
      seed: 20_260_115
    })) {
      const world = await start()
      const model = new Model()
      for (const { bucket, isTaken, wait } of sequence) {
        await world.passes(wait)
        const from = await world.now()
        const answer = await world.ask(bucket, limit, isTaken)
        const to = await world.now()
        // If the clock moves by itself, the answer must be right for one of the milliseconds of the call.
        const possible = Array.from({ length: to - from + 1 }, (_, at) =>
          model.answer(bucket, limit, from + at, isTaken)
        )
        if (!possible.some((one) => isDeepStrictEqual(one, answer))) expect(answer).toEqual(possible[0])
        if (isTaken && answer.admitted) model.admit(bucket, await world.lastCounted(bucket))
      }
      for (const bucket of ["a", "b"]) expect(model.busiest(bucket)).toBeLessThanOrEqual(limit)
      await world.stop()
    }
  })

  it("admits 500 in a minute, and the next when the first is a minute old", async () => {
    const world = await start()
    await world.ask("key", 500, true)
    const first = await world.lastCounted("key")
    await world.passes(5000)
    for (let left = 498; left >= 0; left--) {
      expect(await world.ask("key", 500, true)).toMatchObject({ admitted: true, remaining: left })
    }
    expect(await world.ask("key", 500, true)).toMatchObject({ admitted: false, remaining: 0 })
    // One second early, because a clock that moves by itself has moved meanwhile.
    await world.passes(first + minute - 1000 - (await world.now()))
    expect((await world.ask("key", 500, true)).admitted).toBe(false)
    await world.passes(1000)
    expect(await world.ask("key", 500, true)).toMatchObject({ admitted: true, remaining: 0 })
    expect((await world.ask("key", 500, true)).admitted).toBe(false)
    await world.stop()
  })

  it("does not count what it refuses, so that a caller who keeps asking gets in again", async () => {
    const world = await start()
    await world.ask("key", 1, true)
    for (let second = 0; second < 58; second++) {
      await world.passes(1000)
      expect((await world.ask("key", 1, true)).admitted).toBe(false)
    }
    await world.passes(2000)
    expect((await world.ask("key", 1, true)).admitted).toBe(true)
    await world.stop()
  })

  it("counts on after a quiet bucket was forgotten", async () => {
    const world = await start()
    await world.ask("key", 2, true)
    await world.passes(10 * minute)
    expect(await world.ask("key", 2, false)).toEqual({ admitted: true, limit: 2, remaining: 2, resetSeconds: 0 })
    expect((await world.ask("key", 2, true)).remaining).toBe(1)
    expect((await world.ask("key", 2, true)).remaining).toBe(0)
    expect((await world.ask("key", 2, true)).admitted).toBe(false)
    await world.stop()
  })

  it("stands still for a bucket while the clock is back, and begins anew when it steps back by more than a minute", async () => {
    const world = await start()
    await world.ask("key", 3, true)
    await world.ask("key", 3, true)
    await world.stepsBack(30_000)
    expect(await world.ask("key", 3, true)).toMatchObject({ admitted: true, remaining: 0, resetSeconds: 60 })
    expect((await world.ask("key", 3, true)).admitted).toBe(false)
    await world.stepsBack(60 * minute)
    expect(await world.ask("key", 3, true)).toMatchObject({ admitted: true, remaining: 2, resetSeconds: 60 })
    await world.stop()
  })
}

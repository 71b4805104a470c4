import { Clock, Effect, Layer, ManagedRuntime } from "effect"
import { TestClock } from "effect/testing"
import { queryObjects } from "node:v8"
import { describe, expect, it } from "vitest"
import { RateLimiter } from "../../../../src/http/server/admission/RateLimiter.ts"
import * as MemoryRateLimiter from "../../../../src/runtime/cluster/coordination/MemoryRateLimiter.ts"
import { keepsTheMinute, type LimiterWorld } from "../../../support/slidingMinute.ts"

const start = async (): Promise<LimiterWorld> => {
  const runtime = ManagedRuntime.make(Layer.provideMerge(MemoryRateLimiter.layer, TestClock.layer()))
  const now = () => runtime.runPromise(Clock.currentTimeMillis)
  return {
    ask: (bucket, limit, isTaken) =>
      runtime.runPromise(
        Effect.flatMap(RateLimiter, ({ look, take }) => (isTaken ? take(bucket, limit) : look(bucket, limit)))
      ),
    passes: (millis) => runtime.runPromise(TestClock.adjust(millis)),
    stepsBack: async (millis) => runtime.runPromise(TestClock.setTime((await now()) - millis)),
    now,
    lastCounted: now,
    stop: () => runtime.dispose()
  }
}

describe("the rate limiter in memory", () => {
  keepsTheMinute(start, 200)

  it("still knows which request leaves first when a bucket grows after some have left", async () => {
    const { ask, passes, stop } = await start()
    const takes = async (count: number) => {
      for (let taken = 0; taken < count; taken += 1) await ask("key:grows", 100, true)
    }
    await takes(10)
    await passes(30_000)
    await takes(6)
    // The first ten have left, and the bucket outgrows the room that it began with.
    await passes(31_000)
    await takes(20)
    expect(await ask("key:grows", 100, false)).toMatchObject({ remaining: 74, resetSeconds: 29 })
    await passes(29_000)
    expect(await ask("key:grows", 100, false)).toMatchObject({ remaining: 80, resetSeconds: 31 })
    await stop()
  })

  it("forgets the buckets from which no request has come for a minute, and keeps the others", async () => {
    const { ask, passes, stop } = await start()
    const before = queryObjects(Float64Array, { format: "count" })
    const rings = () => queryObjects(Float64Array, { format: "count" }) - before
    for (let caller = 0; caller < 500; caller += 1) await ask(`key:${caller}`, 100, true)
    expect(rings()).toBeGreaterThanOrEqual(500)
    await passes(30_000)
    for (let caller = 0; caller < 200; caller += 1) await ask(`key:${caller}`, 100, true)
    await passes(30_000)
    expect(rings()).toBeGreaterThanOrEqual(200)
    expect(rings()).toBeLessThan(250)
    await passes(60_000)
    expect(rings()).toBeLessThan(50)
    await stop()
  })
})

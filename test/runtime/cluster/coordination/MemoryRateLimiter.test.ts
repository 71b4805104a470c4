import { Clock, Effect, Layer, ManagedRuntime } from "effect"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import { RateLimiter } from "../../../../src/http/server/RateLimiter.ts"
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

describe("the rate limiter in memory", () => keepsTheMinute(start, 200))

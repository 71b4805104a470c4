/** What a claim tells Redis of wake-ups that have ended: each is reported, by the next claim at the latest. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Redis as Client } from "ioredis"
import { WakeUps } from "../../../../src/runtime/cluster/coordination/WakeUps.ts"
import { wakeUpLimits } from "../../../../src/runtime/cluster/redis/limits.ts"
import { Redis } from "../../../../src/runtime/cluster/redis/Redis.ts"
import * as RedisWakeUps from "../../../../src/runtime/cluster/redis/RedisWakeUps.ts"

it.effect("a wake-up that ends while a claim is under way is reported by the next claim", () =>
  Effect.gen(function* () {
    const ended = yield* Deferred.make<void>()
    const reports: Array<ReadonlyArray<unknown>> = []
    const reported = yield* Deferred.make<void>()
    const prompt = {
      status: "ready",
      evalsha: async (_hash: string, _keys: number, ...rest: ReadonlyArray<unknown>) => {
        // Two keys, how many, how long, and then the journeys whose wake-up has ended.
        reports.push(rest.slice(4))
        if (reports.length === 1)
          return [0, "slow", ...Array.from({ length: wakeUpLimits.wakesAtOnce / 2 - 1 }, (_, at) => `${at}`)]
        // The wake-up ends before Redis has answered.
        if (reports.length === 2) await Effect.runPromise(Deferred.succeed(ended, undefined))
        else Deferred.doneUnsafe(reported, Effect.void)
        return [-1]
      }
    } as unknown as Client
    const redis = Layer.succeed(Redis, { patient: prompt, prompt, hearing: prompt })
    yield* Effect.gen(function* () {
      const { work } = yield* WakeUps
      yield* Effect.forkScoped(work((journeyId) => (journeyId === "slow" ? Deferred.await(ended) : Effect.never)))
      yield* TestClock.adjust(wakeUpLimits.claimEvery)
      yield* TestClock.adjust(wakeUpLimits.claimEvery)
      yield* Deferred.await(reported)
      expect(reports.slice(0, 3)).toEqual([[], [], ["slow"]])
    }).pipe(Effect.provide(RedisWakeUps.layer.pipe(Layer.provide(redis))), Effect.scoped)
  })
)

/**
 * Runners that do not reach the database, as far as Redis decides it: an unfit runner gives its leases up if somebody else can
 * work, and keeps them if nobody can. Nothing is handed back and forth while the database goes and comes for all of them.
 */
import { Context, Duration, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { Runner, RunnerStorage, ShardingConfig } from "effect/cluster"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import { Fitness } from "../../../../src/runtime/cluster/coordination/fitness.ts"
import { fitnessLimits } from "../../../../src/runtime/cluster/coordination/limits.ts"
import * as Redis from "../../../../src/runtime/cluster/redis/Redis.ts"
import * as RedisRunnerStorage from "../../../../src/runtime/cluster/redis/RedisRunnerStorage.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../../support/redisServer.ts"
import { addressOf, shardsOf } from "./runnerStorage.contract.ts"

const nameOf = (name: string) => addressOf(name).host

describeWithRedis("a runner that does not reach the database", () => {
  let redis: RedisServer
  let scope: Scope.Closeable
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())
  beforeEach(async () => {
    await redis.command("flushall")
    scope = Scope.makeUnsafe()
  })
  afterEach(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  /** A registered runner whose fitness the test decides. */
  const begin = async (name: string) => {
    const address = addressOf(name)
    const state = { isFit: true }
    const layer = RedisRunnerStorage.layer.pipe(
      Layer.provide(Layer.succeed(Fitness, { isFit: () => state.isFit })),
      Layer.provide(Redis.layerOf(Redacted.make(redis.url))),
      Layer.provide(ShardingConfig.layer({ shardLockExpiration: "6 seconds" }))
    )
    const context = await Effect.runPromise(Layer.buildWithScope(Layer.fresh(layer), scope))
    const storage = Context.get(context, RunnerStorage.RunnerStorage)
    await Effect.runPromise(storage.register(Runner.make({ address, groups: ["default"], weight: 1 }), true))
    return {
      state,
      acquire: () => Effect.runPromise(storage.acquire(address, shardsOf(1, 2))),
      /** How many leases the runner still holds after it has renewed them. */
      renew: async () => (await Effect.runPromise(storage.refresh(address, shardsOf(1, 2)))).length,
      /** The names of the runners that get shards. */
      counted: async () =>
        (await Effect.runPromise(storage.getRunners))
          .filter(([, isHealthy]) => isHealthy)
          .map(([runner]) => runner.address.host)
          .toSorted()
    }
  }

  /** Changes what Redis has of a runner. */
  const change = async (
    name: string,
    to: (entry: { readonly fitSince: number; readonly endsAt: number }) => object
  ) => {
    const field = `${addressOf(name).host}:${addressOf(name).port}`
    const entry = JSON.parse(String(await redis.command("hget", "{journeys}:cluster:runners", field)))
    await redis.command("hset", "{journeys}:cluster:runners", field, JSON.stringify({ ...entry, ...to(entry) }))
  }
  /** As if the runner had become fit again long ago. */
  const settle = (name: string) =>
    change(name, ({ fitSince }) => ({ fitSince: fitSince - Duration.toMillis(fitnessLimits.settledAfter) }))

  it("gives its leases up at the next renewal, gets no shards, and goes on when it is fit", async () => {
    const [a, b] = [await begin("a"), await begin("b")]
    await a.acquire()
    a.state.isFit = false
    expect(await a.renew()).toBe(0)
    expect(await b.counted()).toEqual([nameOf("b")])
    expect(await b.acquire()).toHaveLength(2)
    a.state.isFit = true
    expect(await a.renew()).toBe(0)
    expect(await a.counted()).toEqual([nameOf("a"), nameOf("b")])
  })

  it("keeps its leases while nobody else runs journeys", async () => {
    const a = await begin("a")
    await a.acquire()
    a.state.isFit = false
    expect(await a.renew()).toBe(2)
    expect(await a.counted()).toEqual([nameOf("a")])
  })

  it.each([
    ["has died without a word", ({ endsAt }: { readonly endsAt: number }) => ({ endsAt: endsAt - 60_000 })],
    ["cannot be reached by others", () => ({ healthy: false })]
  ])("keeps its leases while the only other runner %s", async (_what, to) => {
    const [a] = [await begin("a"), await begin("b")]
    await a.acquire()
    a.state.isFit = false
    await change("b", to)
    expect(await a.renew()).toBe(2)
    expect(await a.counted()).toEqual([nameOf("a")])
  })

  it("keeps its leases while nobody reaches the database, and hands over only to somebody who has reached it for a while", async () => {
    const [a, b] = [await begin("a"), await begin("b")]
    b.state.isFit = false
    await b.renew()
    await a.acquire()
    a.state.isFit = false
    expect(await a.renew()).toBe(2)
    expect(await a.counted()).toEqual([nameOf("a"), nameOf("b")])
    b.state.isFit = true
    await b.renew()
    expect(await a.renew()).toBe(2)
    expect(await a.counted()).toEqual([nameOf("a"), nameOf("b")])
    await settle("b")
    expect(await a.renew()).toBe(0)
    expect(await a.counted()).toEqual([nameOf("b")])
  })
})

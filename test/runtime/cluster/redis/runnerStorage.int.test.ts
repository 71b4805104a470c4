/**
 * The storage of runners and leases in Redis, and beside it Effect's own in PostgreSQL as a measure of what the cluster
 * may expect. Then what only ours promises: fencing numbers, and losing all of Redis without harm.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Exit, Layer, Logger, Redacted, References, Scope } from "effect"
import { Runner, RunnerStorage, ShardId, ShardingConfig, SqlRunnerStorage } from "effect/cluster"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import * as Redis from "../../../../src/runtime/cluster/redis/Redis.ts"
import * as RedisRunnerStorage from "../../../../src/runtime/cluster/redis/RedisRunnerStorage.ts"
import { eventually } from "../../../support/eventually.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../../support/redisServer.ts"
import { databaseWithoutTables } from "../../../support/service.ts"
import { addressOf, keepsTheContract, leaseEnds, shardsOf, type Backend, type Life } from "./runnerStorage.contract.ts"

const config = ShardingConfig.layer({
  shardLockExpiration: leaseEnds,
  shardLockRefreshInterval: "300 millis",
  shardsPerGroup: 10
})

const end = (scope: Scope.Closeable) => Effect.runPromise(Scope.close(scope, Exit.void))

/** Lives of processes, each with connections of its own. */
const livesOf = <E>(layer: Layer.Layer<RunnerStorage.RunnerStorage, E>): Backend => {
  const scopes: Array<Scope.Closeable> = []
  return {
    begin: async (): Promise<Life> => {
      const scope = Scope.makeUnsafe()
      scopes.push(scope)
      const context = await Effect.runPromise(Layer.buildWithScope(Layer.fresh(layer), scope))
      return { storage: Context.get(context, RunnerStorage.RunnerStorage), die: () => end(scope) }
    },
    stop: async () => {
      for (const scope of scopes.splice(0)) await end(scope)
    }
  }
}

const inRedis = (url: string) =>
  RedisRunnerStorage.layer.pipe(Layer.provide(Redis.layerOf(Redacted.make(url))), Layer.provide(config))

describeWithRedis("in Redis", () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  keepsTheContract(async () => {
    await redis.command("flushall")
    return livesOf(inRedis(redis.url))
  })
})

describe("in PostgreSQL, by Effect's own storage", () => {
  keepsTheContract(async () => {
    const url = Redacted.make(await databaseWithoutTables())
    return livesOf(SqlRunnerStorage.layer.pipe(Layer.provide(PgClient.layer({ url })), Layer.provide(config)))
  })
})

interface Line {
  readonly level: string
  readonly text: string
}

describeWithRedis("Redis", () => {
  let redis: RedisServer
  let backend: Backend
  let lines: Array<Line>
  beforeEach(async () => {
    redis = await startRedis()
    lines = []
    backend = livesOf(inRedis(redis.url))
  })
  afterEach(async () => {
    await backend.stop()
    await redis.stop()
  })

  const a = addressOf("a")
  const b = addressOf("b")
  const begin = async () => (await backend.begin()).storage
  const listening = Logger.layer([
    Logger.make(({ logLevel, message }) => {
      lines.push({ level: logLevel, text: JSON.stringify(message) })
    })
  ])
  const run = <A, E>(call: Effect.Effect<A, E>) => Effect.runPromise(Effect.provide(call, listening))
  const fails = async <A, E>(call: Effect.Effect<A, E>) => Exit.isFailure(await run(Effect.exit(call)))
  const fenceOf = async (shard: string) => {
    const lease = String(await redis.command("hget", "{journeys}:cluster:leases", shard))
    return (JSON.parse(lease) as { readonly fence: number }).fence
  }
  const acquire = (storage: RunnerStorage.RunnerStorage["Service"], address: typeof a) =>
    eventually(
      () => run(storage.acquire(address, shardsOf(1))),
      (given) => given.length === 1
    )
  const linesAbout = (text: string) => lines.filter((line) => line.text.includes(text))

  it("gives a shard a higher fencing number with every new owner and every new lease, and the same while it is held", async () => {
    const [first, second] = [await begin(), await begin()]
    await acquire(first, a)
    const one = await fenceOf("default:1")
    await acquire(first, a)
    await run(first.refresh(a, shardsOf(1)))
    expect(await fenceOf("default:1")).toBe(one)
    await run(first.release(a, ShardId.make("default", 1)))
    await acquire(second, b)
    const two = await fenceOf("default:1")
    expect(two).toBeGreaterThan(one)
    // The second does not renew.
    await acquire(first, a)
    expect(await fenceOf("default:1")).toBeGreaterThan(two)
    const told = linesAbout("Shards acquired").map(({ text }) => Number(/"fence":(\d+)/.exec(text)?.[1]))
    expect(told).toEqual([one, two, await fenceOf("default:1")])
  })

  it.each([
    ["emptied", () => redis.command("flushall")],
    ["restarted empty", () => redis.restart()]
  ])("%s tells who held something that it is lost, and gives no fencing number twice", async (_, lose) => {
    const storage = await begin()
    // More owners than milliseconds, so that the numbers run ahead of the time.
    const used: Array<number> = []
    for (let round = 0; round < 20; round++) {
      await acquire(storage, a)
      used.push(await fenceOf("default:1"))
      await run(storage.release(a, ShardId.make("default", 1)))
    }
    await acquire(storage, a)
    used.push(await fenceOf("default:1"))
    await lose()
    const left = await eventually(
      () => run(Effect.exit(storage.refresh(a, shardsOf(1)))),
      (exit) => Exit.isSuccess(exit)
    )
    expect(left).toEqual(Exit.succeed([]))
    expect(linesAbout("were lost")).toHaveLength(1)
    await acquire(storage, a)
    expect(await fenceOf("default:1")).toBeGreaterThan(Math.max(...used))
    expect(new Set(used).size).toBe(used.length)
  })

  it("gives a higher fencing number also where its clock is behind the last one", async () => {
    const storage = await begin()
    const ahead = Date.now() + 60_000
    await redis.command("hset", "{journeys}:cluster:fences", "default:1", String(ahead))
    await acquire(storage, a)
    expect(await fenceOf("default:1")).toBe(ahead + 1)
  })

  it("does not call a lease lost that was given back", async () => {
    const storage = await begin()
    await acquire(storage, a)
    await run(storage.release(a, ShardId.make("default", 1)))
    expect(await run(storage.refresh(a, shardsOf(1)))).toEqual([])
    expect(linesAbout("were lost")).toEqual([])
  })

  it("that is frozen or gone fails every call in time, and is spoken of once when it goes and once when it is back", async () => {
    const storage = await begin()
    await acquire(storage, a)
    await redis.kill("SIGSTOP")
    const allFail = async () =>
      Promise.all([
        fails(storage.refresh(a, shardsOf(1))),
        fails(storage.getRunners),
        fails(storage.acquire(a, shardsOf(2)))
      ])
    expect(await allFail()).toEqual([true, true, true])
    await redis.kill("SIGKILL")
    expect(await allFail()).toEqual([true, true, true])
    expect(linesAbout("Redis is away")).toMatchObject([{ level: "Error" }])
    await redis.restart()
    await acquire(storage, a)
    expect(linesAbout("Redis is away")).toHaveLength(1)
    expect(linesAbout("Redis is back")).toHaveLength(1)
  })

  it("says so when two processes use one RUNNER_ADDRESS", async () => {
    const [first, second] = [await begin(), await begin()]
    const runner = new Runner.Runner({ address: a, groups: ["default"], weight: 1 })
    await run(first.register(runner, true))
    await run(second.register(runner, true))
    for (const storage of [first, second, first]) await run(storage.refresh(a, []))
    expect(linesAbout("RUNNER_ADDRESS")).toMatchObject([{ level: "Error" }])
    await run(first.unregister(a))
    expect(await run(second.getRunners)).toHaveLength(1)
  })

  it("renews the registration of the process that registered last, for no other process, and not after the registration has ended", async () => {
    const [first, second] = [await begin(), await begin()]
    const runner = new Runner.Runner({ address: a, groups: ["default"], weight: 1 })
    await run(first.register(runner, true))
    await run(second.register(runner, true))
    const all = "{journeys}:cluster:runners"
    const [address = ""] = (await redis.command("hkeys", all)) as ReadonlyArray<string>
    const entry = String(await redis.command("hget", all, address))
    const endingAt = (endsAt: number) => JSON.stringify({ ...(JSON.parse(entry) as object), endsAt })
    // So far away that each renewal would end it sooner.
    const later = endingAt(Date.now() + 600_000)
    await redis.command("hset", all, address, later)
    await run(first.refresh(a, []))
    expect(await redis.command("hget", all, address)).toBe(later)
    await run(second.refresh(a, []))
    expect(await redis.command("hget", all, address)).not.toBe(later)
    await redis.command("hset", all, address, endingAt(1))
    await run(second.refresh(a, []))
    expect(await run(second.getRunners)).toEqual([])
  })

  it("gives each of many runners that register in the same millisecond a machine id of its own", async () => {
    const storage = await begin()
    const runners = Array.from(
      { length: 40 },
      (_, at) => new Runner.Runner({ address: addressOf(`runner-${at}`), groups: ["default"], weight: 1 })
    )
    const given = await Promise.all(runners.map((runner) => run(storage.register(runner, true))))
    expect(new Set(given.map((id) => id % 1024)).size).toBe(runners.length)
  })

  it("speaks at the level of the service, however quiet the cluster is kept", async () => {
    const storage = await begin()
    await run(Effect.provideService(storage.acquire(a, shardsOf(1)), References.MinimumLogLevel, "Error"))
    expect(linesAbout("Shards acquired")).toHaveLength(1)
  })
})

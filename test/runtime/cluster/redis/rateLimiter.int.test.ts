/**
 * The rate limit of all nodes in a real Redis: the same contract as in memory, one limit for several nodes, and what
 * becomes of it when Redis is frozen, killed, emptied or demoted.
 */
import { Context, Effect, Layer, Logger, ManagedRuntime, Metric, Redacted } from "effect"
import { Redis as Client } from "ioredis"
import { createHash } from "node:crypto"
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest"
import { Vault } from "../../../../src/actors/kernel/Vault.ts"
import { RateLimiter, type Allowance } from "../../../../src/http/server/admission/RateLimiter.ts"
import * as AesVault from "../../../../src/runtime/keys/AesVault.ts"
import { redisLimits } from "../../../../src/runtime/cluster/redis/limits.ts"
import * as Redis from "../../../../src/runtime/cluster/redis/Redis.ts"
import * as RedisRateLimiter from "../../../../src/runtime/cluster/redis/RedisRateLimiter.ts"
import { eventually } from "../../../support/eventually.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../../support/redisServer.ts"
import { keepsTheMinute, minute, type LimiterWorld } from "../../../support/slidingMinute.ts"

let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())

interface Limiter {
  readonly take: (bucket: string, limit: number) => Promise<Allowance>
  readonly look: (bucket: string, limit: number) => Promise<Allowance>
  /** Commands sent to Redis. */
  readonly asked: () => number
  readonly fallbacks: () => Promise<number>
  readonly lines: ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

const limiters: Array<Limiter> = []
afterEach(async () => {
  await Promise.all(limiters.splice(0).map(({ stop }) => stop()))
  await server.kill("SIGCONT")
})

const fallbackCount = Effect.map(
  Metric.snapshot,
  (all) => all.filter(({ id }) => id === "journeys_rate_limit_fallbacks_total").map(({ state }) => state)[0]
)

/** A node's limiter, connected. */
const startLimiter = async (): Promise<Limiter> => {
  const lines: Array<string> = []
  const runtime = ManagedRuntime.make(
    RedisRateLimiter.layer.pipe(
      Layer.provideMerge(Redis.layerOf(Redacted.make(server.url))),
      Layer.provide(Layer.succeed(Vault, AesVault.make(Buffer.alloc(32, 7)))),
      Layer.provideMerge(Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])),
      Layer.provideMerge(Layer.sync(Metric.MetricRegistry, () => new Map()))
    )
  )
  const services = await runtime.context()
  const { prompt } = Context.get(services, Redis.Redis)
  await eventually(
    () => prompt.status,
    (status) => status === "ready"
  )
  const sent = vi.spyOn(prompt, "evalsha")
  const limiter = Context.get(services, RateLimiter)
  const made: Limiter = {
    take: (bucket, limit) => runtime.runPromise(limiter.take(bucket, limit)),
    look: (bucket, limit) => runtime.runPromise(limiter.look(bucket, limit)),
    asked: () => sent.mock.calls.length,
    fallbacks: async () => {
      const state = await runtime.runPromise(fallbackCount)
      return state !== undefined && "count" in state ? Number(state.count) : Number.NaN
    },
    lines,
    stop: () => runtime.dispose()
  }
  limiters.push(made)
  return made
}

const admittedOf = (answers: ReadonlyArray<Allowance>): number => answers.filter(({ admitted }) => admitted).length

const takes = async (limiter: Limiter, bucket: string, limit: number, count: number): Promise<number> =>
  admittedOf(await Promise.all(Array.from({ length: count }, () => limiter.take(bucket, limit))))

/** Asks until Redis decides again. */
const isBack = (limiter: Limiter) =>
  eventually(
    () => limiter.look("anything", 1),
    () => limiter.lines.at(-1)?.includes("answers again") === true
  )

/** Moves every time that is kept into the past, and the end of its list with it: as if time had passed. */
const older = `
for _, key in ipairs(redis.call('KEYS', '*:limit:*')) do
  local left = redis.call('PTTL', key) - ARGV[1]
  local times = redis.call('LRANGE', key, 0, -1)
  redis.call('DEL', key)
  for _, time in ipairs(times) do redis.call('RPUSH', key, string.format('%.0f', time - ARGV[1])) end
  if left > 0 then redis.call('PEXPIRE', key, left) else redis.call('DEL', key) end
end`

const startWorld = async (): Promise<LimiterWorld> => {
  await server.command("flushall")
  const limiter = await startLimiter()
  const client = new Client(server.url)
  const names = new Map<string, string>()
  let passed = 0
  const passes = async (millis: number) => {
    passed += millis
    await client.eval(older, 0, millis)
  }
  const keys = () => client.keys("*:limit:*")
  return {
    ask: async (bucket, limit, isTaken) => {
      const before = await keys()
      const answer = await (isTaken ? limiter.take(bucket, limit) : limiter.look(bucket, limit))
      const fresh = (await keys()).find((key) => !before.includes(key))
      if (fresh !== undefined) names.set(bucket, fresh)
      return answer
    },
    passes,
    // As if its times were of the future.
    stepsBack: (millis) => passes(-millis),
    now: async () => {
      const [seconds, micros] = await client.time()
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000) + passed
    },
    lastCounted: async (bucket) => Number(await client.lindex(names.get(bucket) ?? "", -1)) + passed,
    stop: async () => {
      client.disconnect()
      await limiter.stop()
    }
  }
}

describeWithRedis("the rate limiter in Redis", () => {
  keepsTheMinute(startWorld, 25)

  it("is one limit for all nodes", async () => {
    const nodes = await Promise.all([startLimiter(), startLimiter(), startLimiter()])
    const admitted = await Promise.all(nodes.map((node) => takes(node, "key:shared", 100, 60)))
    expect(admitted.reduce((sum, one) => sum + one, 0)).toBe(100)
    const answers = await Promise.all(nodes.map((node) => node.look("key:shared", 100)))
    expect(answers.map(({ remaining }) => remaining)).toEqual([0, 0, 0])
    expect(await Promise.all(nodes.map((node) => node.fallbacks()))).toEqual([0, 0, 0])
  })

  it("asks once for all that a tick asks for, and answers each as if it had come alone", async () => {
    await server.command("flushall")
    const limiter = await startLimiter()
    await limiter.take("key:other", 5)
    const before = limiter.asked()
    const [many, looks, others] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => limiter.take("key:many", 5))),
      Promise.all(Array.from({ length: 2 }, () => limiter.look("key:quiet", 3))),
      Promise.all(Array.from({ length: 2 }, () => limiter.take("key:other", 5)))
    ])
    expect(limiter.asked() - before).toBe(1)
    expect(many.map(({ admitted, remaining }) => [admitted, remaining])).toEqual([
      ...[4, 3, 2, 1, 0].map((left) => [true, left]),
      ...[0, 0, 0].map((left) => [false, left])
    ])
    expect(looks.map(({ remaining, resetSeconds }) => [remaining, resetSeconds])).toEqual([
      [3, 0],
      [3, 0]
    ])
    expect(others.map(({ remaining }) => remaining)).toEqual([3, 2])
    // Who looks at the bucket in the same tick changes nothing of who takes from it.
    const looked = limiter.look("key:both", 1)
    expect((await Promise.all([looked, limiter.take("key:both", 1)])).map(({ admitted }) => admitted)).toEqual([
      true,
      true
    ])
    expect((await limiter.take("key:both", 1)).admitted).toBe(false)
    expect(await limiter.fallbacks()).toBe(0)
  })

  it("admits no more than the limit when a tick asks for more than one call takes", async () => {
    const limiter = await startLimiter()
    await limiter.look("key:crowd", 1)
    const before = limiter.asked()
    expect(await takes(limiter, "key:crowd", 1500, redisLimits.mostLimitsAtOnce * 2)).toBe(1500)
    expect(limiter.asked() - before).toBe(2)
  })

  it("keeps no more of a bucket than its limit, for no longer than a minute, and no address", async () => {
    await server.command("flushall")
    const limiter = await startLimiter()
    const address = "address:203.0.113.7"
    expect(await takes(limiter, address, 50, 200)).toBe(50)
    const keys = (await server.command("keys", "*")) as ReadonlyArray<string>
    expect(keys.length).toBe(1)
    const [key = ""] = keys
    expect(await server.command("llen", key)).toBe(50)
    const left = Number(await server.command("pttl", key))
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(minute)
    const plain = createHash("sha256").update(address).digest("base64url")
    for (const secret of ["203.0.113", plain.slice(0, 16)]) expect(keys.join()).not.toContain(secret)
  })

  it("goes on when Redis is emptied or has forgotten the script", async () => {
    const limiter = await startLimiter()
    expect(await takes(limiter, "key:emptied", 3, 5)).toBe(3)
    await server.command("script", "flush")
    expect((await limiter.take("key:emptied", 3)).admitted).toBe(false)
    await server.command("flushall")
    expect(await limiter.take("key:emptied", 3)).toMatchObject({ admitted: true, remaining: 2 })
    expect(await limiter.fallbacks()).toBe(0)
  })
})

describeWithRedis("without Redis", () => {
  it.for([
    ["frozen", () => server.kill("SIGSTOP"), () => server.kill("SIGCONT")],
    ["killed", () => server.kill("SIGKILL"), () => server.restart()],
    ["read-only", () => server.command("replicaof", "127.0.0.1", 1), () => server.command("replicaof", "no", "one")]
  ] as const)(
    "the limit holds on each node alone while Redis is %s, and for all when it is back",
    async ([, goAway, comeBack]) => {
      await server.command("flushall")
      const [one, other] = await Promise.all([startLimiter(), startLimiter()])
      expect(await takes(one, "key:left", 10, 4)).toBe(4)
      expect(await takes(other, "key:left", 10, 3)).toBe(3)

      await goAway()
      // What Redis admitted here counts, what it admitted elsewhere is not known.
      expect(await takes(one, "key:left", 10, 20)).toBe(6)
      expect(await takes(other, "key:left", 10, 20)).toBe(7)
      expect(await one.fallbacks()).toBe(20)
      expect(one.lines.filter((line) => line.includes("does not answer"))).toHaveLength(1)

      await comeBack()
      await isBack(one)
      // Redis does not know what was admitted without it, or anything at all; the nodes do.
      expect(await takes(one, "key:left", 10, 20)).toBe(0)
      expect(one.lines.map((line) => line.slice(0, line.indexOf(":")))).toEqual([
        "Redis does not answer",
        "Redis answers again"
      ])
      const before = await one.fallbacks()
      expect(await takes(one, "key:fresh", 10, 20)).toBe(10)
      expect(await one.fallbacks()).toBe(before)
    }
  )

  it("a frozen Redis is waited for once, not by each request", async () => {
    const limiter = await startLimiter()
    await limiter.take("key:frozen", 1000)
    await server.kill("SIGSTOP")
    const before = limiter.asked()
    for (let at = 0; at < 200; at++) await limiter.take("key:frozen", 1000)
    // The first, and one a second, for which nobody waits.
    expect(limiter.asked() - before).toBeLessThan(5)
  })

  it("a look counts nothing, whether Redis answers or not", async () => {
    await server.command("flushall")
    const limiter = await startLimiter()
    const looks = async () => {
      for (let at = 0; at < 3; at++) {
        expect(await limiter.look("operator:guesses", 1)).toMatchObject({ admitted: true, remaining: 1 })
      }
    }
    await looks()
    await server.kill("SIGSTOP")
    await looks()
    expect((await limiter.take("operator:guesses", 1)).admitted).toBe(true)
    expect((await limiter.look("operator:guesses", 1)).admitted).toBe(false)
  })
})

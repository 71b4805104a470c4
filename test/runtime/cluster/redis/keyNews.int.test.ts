/**
 * Changed keys with several nodes: a node answers from memory only while it hears of changes, and no node takes a key that another
 * has revoked, whether Redis carries the news or is silent.
 */
import { Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { KeyNews } from "../../../../src/runtime/cluster/coordination/KeyNews.ts"
import * as Redis from "../../../../src/runtime/cluster/redis/Redis.ts"
import * as RedisKeyNews from "../../../../src/runtime/cluster/redis/RedisKeyNews.ts"
import { ask, askSettings, makeCompany, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { clusterEnvironment } from "../../../support/nodes.ts"
import { startProxy, type Proxy } from "../../../support/proxy.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../../support/redisServer.ts"
import { startService, type Service } from "../../../support/service.ts"

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

const startNode = async (url: string) => {
  const runtime = ManagedRuntime.make(Layer.provide(RedisKeyNews.layer, Redis.layerOf(Redacted.make(url))))
  const news = Context.get(await runtime.context(), KeyNews)
  let forgotten = 0
  await runtime.runPromise(
    Effect.forkDetach(
      Effect.scoped(
        Effect.andThen(
          news.onChange(() => void (forgotten += 1)),
          Effect.never
        )
      )
    )
  )
  const hears = (expected: boolean) => eventually(news.isHeard, (isHeard) => isHeard === expected, 30_000)
  return {
    announce: () => runtime.runPromise(news.announce),
    hears,
    forgotten: () => forgotten,
    stop: () => runtime.dispose()
  }
}

describeWithRedis("the news of changed keys", () => {
  it("a change is told when every node has forgotten", async () => {
    const nodes = await Promise.all([startNode(redis.url), startNode(redis.url), startNode(redis.url)])
    await Promise.all(nodes.map(({ hears }) => hears(true)))
    for (let round = 0; round < 20; round++) {
      const before = nodes.map(({ forgotten }) => forgotten())
      await nodes[round % 3]?.announce()
      expect(nodes.map(({ forgotten }, at) => forgotten() - (before[at] ?? 0))).toEqual([1, 1, 1])
    }
    await Promise.all(nodes.map(({ stop }) => stop()))
  })

  it.for([
    ["has vanished without a word", (proxy: Proxy) => proxy.freeze()],
    ["was cut, and is refused from then on", (proxy: Proxy) => proxy.refuse()]
  ] as const)(
    "a node whose connection %s knows that it hears nothing, and forgets when it hears again",
    async ([, breaks]) => {
      const proxy = await startProxy(redis.url)
      const node = await startNode(proxy.url)
      await node.hears(true)
      breaks(proxy)
      await node.hears(false)
      const before = node.forgotten()
      proxy.healForNewcomers()
      await node.hears(true)
      expect(node.forgotten()).toBeGreaterThan(before)
      await node.stop()
      await proxy.close()
    }
  )
})

const statusAt = async (node: Service, key: string) => (await ask(node, key, "/api/v1/journeys")).status
const revoke = (node: Service, { id, testKeyId }: TestCompany) =>
  askSettings(node, `/companies/${id}/api-keys/${testKeyId}`, { method: "DELETE" })

describeWithRedis("a key that one of two nodes revokes", () => {
  let here: Service
  let there: Service

  beforeAll(async () => {
    const environment = await clusterEnvironment(redis)
    here = await startService(environment)
    there = await startService(environment)
  })
  afterAll(() => Promise.all([here.stop(), there.stop()]))

  it.for([
    ["carries the news", async () => {}, async () => {}],
    ["is silent", () => redis.kill("SIGSTOP"), () => redis.kill("SIGCONT")]
  ] as const)("is refused by the other one from the answer on while Redis %s", async ([, before, after]) => {
    const company = await makeCompany(here)
    await before()
    // Both have just taken the key, so both remember it.
    for (const node of [here, there, here, there]) expect(await statusAt(node, company.testKey)).toBe(200)
    expect((await revoke(here, company)).status).toBe(200)
    expect(await statusAt(there, company.testKey)).toBe(401)
    expect(await statusAt(here, company.testKey)).toBe(401)
    await after()
  })
})

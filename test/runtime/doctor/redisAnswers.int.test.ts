/** What `journeys doctor` says of a Redis that may throw away what is kept in it. */
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { redisAnswers } from "../../../src/runtime/doctor/redisAnswers.ts"
import { readSettings } from "../../../src/runtime/settings/Settings.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../support/redisServer.ts"

describeWithRedis("a Redis", () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  it.each([
    ["noeviction", true],
    ["allkeys-lru", false]
  ])("whose maxmemory-policy is %s is well: %s", async (policy, isWell) => {
    await server.command("config", "set", "maxmemory-policy", policy)
    const found = await Effect.runPromise(redisAnswers(readSettings({ REDIS_URL: server.url }).given))
    expect(found.find(({ name }) => name === "redis memory")).toMatchObject({ isWell })
  })
})

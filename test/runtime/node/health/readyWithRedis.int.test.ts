/** GET /health/ready where nodes share a Redis: who runs journeys, and what is said while Redis is away. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { eventually } from "../../../support/eventually.ts"
import { freePort } from "../../../support/freePort.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../../support/redisServer.ts"
import { freshDatabase, startService, type Service } from "../../../support/service.ts"

/** A lease, what notices its end, and some to spare. */
const noticedWithinMillis = 20_000

const ready = async ({ baseUrl }: Service) => {
  const response = await fetch(`${baseUrl}/health/ready`)
  const { checks } = (await response.json()) as {
    readonly checks: Readonly<Record<string, { readonly status: string; readonly measured?: object } | undefined>>
  }
  return { code: response.status, redis: checks["redis"], cluster: checks["cluster"], dueWork: checks["dueWork"] }
}
const becomes = (service: Service, expected: object) =>
  eventually(
    () => ready(service),
    (seen) => {
      try {
        expect(seen).toMatchObject(expected)
        return true
      } catch {
        return false
      }
    },
    noticedWithinMillis
  )

describeWithRedis("GET /health/ready of nodes that share a Redis", () => {
  let redis: RedisServer
  let runner: Service
  let client: Service

  beforeAll(async () => {
    redis = await startRedis()
    const shared = { DATABASE_URL: await freshDatabase(), REDIS_URL: redis.url, LOG_LEVEL: "none" }
    runner = await startService({ ...shared, RUNNER_ADDRESS: `127.0.0.1:${await freePort()}` })
    client = await startService(shared)
  })
  afterAll(async () => {
    await client.stop()
    await redis.stop()
  })

  it("tells a runner its share of the journeys, and a client that others have them", async () => {
    await becomes(runner, {
      code: 200,
      redis: { status: "ok" },
      cluster: { status: "ok", measured: { runners: 1, shards: 300 } }
    })
    await becomes(client, {
      code: 200,
      redis: { status: "ok" },
      cluster: { status: "ok", measured: { runners: 1, shards: 0 } }
    })
  })

  it("is ready while Redis is away, says since when, and recovers", async () => {
    await redis.kill("SIGKILL")
    const degraded = { status: "degraded", since: expect.stringMatching(/Z$/) }
    for (const node of [runner, client]) await becomes(node, { code: 200, redis: degraded, cluster: degraded })
    await redis.restart()
    for (const node of [runner, client]) {
      await becomes(node, { code: 200, redis: { status: "ok" }, cluster: { status: "ok", measured: { runners: 1 } } })
    }
  })

  it("says no as long as no node runs journeys", async () => {
    await runner.stop()
    await becomes(client, { code: 503, cluster: { status: "failed", measured: { runners: 0 } } })
  })
})

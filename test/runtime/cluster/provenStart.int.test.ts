/** A runner with another secret than that of the runners that work does not join them; one that has both does. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, makeCompany, start, startBody } from "../../support/companies.ts"
import { clusterEnvironment, runnerEnvironment } from "../../support/nodes.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../support/redisServer.ts"
import { startService, type Service } from "../../support/service.ts"

const [old, fresh] = ["old", "fresh"].map((word) => `${word}-secret-of-the-cluster-${"x".repeat(24)}`) as [
  string,
  string
]

describeWithRedis("a runner that starts", () => {
  let server: RedisServer
  let environment: Readonly<Record<string, string>>
  let first: Service
  beforeAll(async () => {
    server = await startRedis()
    environment = { ...(await clusterEnvironment(server)), SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" }
    first = await startRunner(old)
  })
  afterAll(async () => {
    await first.stop()
    await server.stop()
  })

  const startRunner = async (secret: string): Promise<Service> =>
    startService({ ...environment, ...(await runnerEnvironment()), CLUSTER_SECRET: secret })

  const lives = async () => {
    const company = await makeCompany(first)
    const { data } = await start(first, company.testKey, startBody("IDENTITY_DELIVERY"))
    const event = { body: { event: "delivery.completed" } }
    return (await ask(first, company.testKey, `/api/v1/journeys/${data.id}/simulate`, event)).status
  }

  it("is refused with another secret than theirs, says so, and takes no work from them", async () => {
    await expect(startRunner(fresh)).rejects.toThrow(
      /CLUSTER_SECRET is not that of the runners that work \(127\.0\.0\.1:\d+\)/
    )
    expect(await lives()).toBe(200)
  })

  it("joins them with the new secret and theirs", async () => {
    const second = await startRunner(`${fresh},${old}`)
    try {
      expect(await lives()).toBe(200)
    } finally {
      await second.stop()
    }
  })

  it("joins them where one of them takes its secret and another does not yet", async () => {
    const second = await startRunner(`${fresh},${old}`)
    try {
      const third = await startRunner(fresh)
      await third.stop()
    } finally {
      await second.stop()
    }
  })

  it("of one machine joins them while ENCRYPTION_KEY, which is their secret there, changes node by node", async () => {
    const other = await startRedis()
    const [before, after] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [string, string]
    const shared = await clusterEnvironment(other)
    const runner = async (key: string, retired: string) =>
      startService({
        ...shared,
        ...(await runnerEnvironment()),
        ENCRYPTION_KEY: key,
        ENCRYPTION_KEYS_RETIRED: retired
      })
    const one = await runner(before, after)
    try {
      const two = await runner(after, before)
      await two.stop()
    } finally {
      await one.stop()
      await other.stop()
    }
  })
})

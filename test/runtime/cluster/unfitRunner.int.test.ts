/**
 * One of two runners is cut off from PostgreSQL, and nobody tells it: it lets its journeys go, the other runs them, and after a
 * while everything is as before.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { clusterEnvironment, startRunner } from "../../support/nodes.ts"
import { startProxy, type Proxy } from "../../support/proxy.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../support/redisServer.ts"
import { type Service } from "../../support/service.ts"

const journeys = 16
/** The promise is 10 s; a busy machine gets some more. */
const takenOverWithinMillis = 30_000

describeWithRedis("a runner that is cut off from PostgreSQL", () => {
  let redis: RedisServer
  let proxy: Proxy
  let cutOff: Service
  let other: Service
  let company: TestCompany
  let started: ReadonlyArray<string>

  /** How many shards each runner holds. */
  const shares = async (): Promise<ReadonlyArray<number>> => {
    const leases = (await redis.command("hvals", "{journeys}:cluster:leases")) as ReadonlyArray<string>
    const owners = Map.groupBy(leases, (lease) => (JSON.parse(lease) as { readonly owner: string }).owner)
    return [...owners.values()].map(({ length }) => length)
  }
  const spread = () =>
    eventually(
      shares,
      (held) => held.length === 2 && held[0] !== undefined && held[1] !== undefined && held[0] + held[1] === 300,
      takenOverWithinMillis
    )
  const simulate = (id: string, event: string) =>
    ask(other, company.testKey, `/api/v1/journeys/${id}/simulate`, { body: { event } }).then(
      ({ status }) => status,
      () => null
    )
  const ready = async () => {
    const response = await fetch(`${cutOff.baseUrl}/health/ready`)
    const { checks } = (await response.json()) as {
      readonly checks: Readonly<Record<string, { readonly status: string; readonly message: string } | undefined>>
    }
    return { code: response.status, cluster: checks["cluster"] }
  }

  beforeAll(async () => {
    redis = await startRedis()
    const environment: Readonly<Record<string, string>> = {
      ...(await clusterEnvironment(redis)),
      SANDBOX_STEP: "1 hour",
      SANDBOX_CALLER_STEP: "1 hour",
      LOG_LEVEL: "none"
    }
    proxy = await startProxy(environment["DATABASE_URL"] ?? "")
    other = await startRunner(environment)
    cutOff = await startRunner({ ...environment, DATABASE_URL: proxy.url })
    company = await makeCompany(other, { settings: { sandbox: { pace: "manual" } } })
    await spread()
    started = await Promise.all(
      Array.from(
        { length: journeys },
        async () => (await start(other, company.testKey, startBody("IDENTITY_DELIVERY"))).data.id
      )
    )
  })
  afterAll(async () => {
    proxy.heal()
    await Promise.all([cutOff.stop(), other.stop()])
    await proxy.close()
    await redis.stop()
  })

  it("hands them to the other, which then refuses nothing, says so in its health, and takes its share back", async () => {
    proxy.freeze()
    await eventually(shares, (held) => held.length === 1 && held[0] === 300, takenOverWithinMillis)
    const answers = await Promise.all(started.map((id) => simulate(id, "identity.under_review")))
    expect(answers).toEqual(started.map(() => 200))
    expect(await eventually(ready, ({ cluster }) => cluster?.message.includes("others run") === true)).toMatchObject({
      code: 503,
      cluster: { status: "degraded", message: expect.stringContaining("does not reach the database") }
    })

    proxy.heal()
    await spread()
    await eventually(ready, ({ code, cluster }) => code === 200 && cluster?.status === "ok", takenOverWithinMillis)
    expect(await Promise.all(started.map((id) => simulate(id, "identity.verified")))).toEqual(started.map(() => 200))
  })
})

/** The list of runners as operators see it, and why a journey was set aside whose actor another node runs. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { clusterKeys } from "../../../../src/runtime/cluster/redis/Redis.ts"
import { overview } from "../../../../src/runtime/cluster/redis/runnerScripts.ts"
import { askSettings, makeCompany, start, startBody } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { clusterEnvironment, startRunner } from "../../../support/nodes.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../../support/redisServer.ts"
import { startService, type Service } from "../../../support/service.ts"

interface Runner {
  readonly address: string
  readonly healthy: boolean
  readonly since: string
  readonly shards: number
}

const runnersSeenBy = (node: Service) => askSettings(node, "/runners")
const runnersOf = (answer: Awaited<ReturnType<typeof runnersSeenBy>>): ReadonlyArray<Runner> => answer.data.content

describeWithRedis("two runners and a client", () => {
  let redis: RedisServer
  let nodes: ReadonlyArray<Service>
  let client: Service
  beforeAll(async () => {
    redis = await startRedis()
    const environment = {
      ...(await clusterEnvironment(redis)),
      SANDBOX_STEP: "100 millis",
      SANDBOX_CALLER_STEP: "100 millis"
    }
    nodes = [await startRunner(environment), await startRunner(environment)]
    client = await startService(environment)
  })
  afterAll(async () => {
    await Promise.all([...nodes, client].map((node) => node.stop()))
    await redis.stop()
  })

  it("are listed alike by all, each runner with its share of the shards and since when", async () => {
    const [here, there] = nodes as readonly [Service, Service]
    const shared = await eventually(
      () => runnersSeenBy(here),
      (answer) => answer.data.shardsWithoutRunner === 0 && runnersOf(answer).every(({ shards }) => shards > 0)
    )
    const listed = runnersOf(shared)
    expect(listed).toHaveLength(2)
    expect(listed.reduce((sum, { shards }) => sum + shards, 0)).toBe(300)
    for (const { address, healthy, since } of listed) {
      expect([address, healthy, since]).toEqual([
        expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        true,
        expect.stringMatching(/^20.*Z$/)
      ])
    }
    const other = (await runnersSeenBy(there)).data
    const outside = (await runnersSeenBy(client)).data
    expect([other.content, outside.content]).toEqual([listed, listed])
    expect(new Set([shared.data.answeredBy, other.answeredBy])).toEqual(new Set(listed.map(({ address }) => address)))
    expect([outside.nodes, outside.answeredBy]).toEqual(["SEVERAL", null])
  })

  it("say why a journey was set aside, whichever of them ran its actor", async () => {
    const company = await makeCompany(client)
    const ids = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const body = startBody("FINANCE_ALREADY_SUBMITTED")
        body.customer.email = "broken+never@example.com"
        return (await start(client, company.testKey, body)).data.id
      })
    )
    await client.query(
      'update journeys set state = \'{"status":"ACTIVE"}\', wake_at = now() where id = any($1::uuid[])',
      [`{${ids.join()}}`]
    )
    const { data } = await eventually(
      () => askSettings(client, "/journeys/set-aside"),
      (answer) => answer.data.content.length === ids.length,
      40_000
    )
    expect(new Set(data.content.map((one: { readonly reason: string }) => one.reason))).toEqual(new Set(["UNREADABLE"]))
  })

  it("are not known while Redis is away, and the answer says so", async () => {
    await redis.kill("SIGSTOP")
    const answer = await runnersSeenBy(client)
    await redis.kill("SIGCONT")
    expect([answer.status, answer.errors?.[0]?.code]).toEqual([503, "TEMPORARILY_UNAVAILABLE"])
  })
})

describeWithRedis("the list of runners", () => {
  it("has no runner and no lease that has ended, and tells who cannot work", async () => {
    const redis = await startRedis()
    const [soon, past] = [Date.now() + 3_600_000, 1]
    const put = (key: string, entries: Readonly<Record<string, object>>) =>
      redis.command("hset", key, ...Object.entries(entries).flatMap(([name, entry]) => [name, JSON.stringify(entry)]))
    await put(clusterKeys.runners, {
      "works:1": { owner: "works", healthy: true, since: 5, endsAt: soon },
      "unfit:1": { owner: "unfit", healthy: true, unfit: true, since: 6, endsAt: soon },
      "unreached:1": { owner: "unreached", healthy: false, since: 7, endsAt: soon },
      "died:1": { owner: "died", healthy: true, since: 8, endsAt: past },
      "older version:1": { owner: "older", healthy: true, endsAt: soon }
    })
    await put(clusterKeys.leases, {
      "default:1": { owner: "works", fence: 1, endsAt: soon },
      "default:2": { owner: "works", fence: 2, endsAt: past },
      "default:3": { owner: "died", fence: 3, endsAt: soon }
    })
    const answer = (await redis.command("eval", overview, 2, clusterKeys.runners, clusterKeys.leases)) as Array<unknown>
    const listed = Array.from({ length: answer.length / 4 }, (_, at) => answer.slice(4 * at, 4 * at + 4))
    expect(new Set(listed)).toEqual(
      new Set([
        ["works:1", 1, 5, 1],
        ["unfit:1", 0, 6, 0],
        ["unreached:1", 0, 7, 0],
        ["older version:1", 1, 0, 0]
      ])
    )
    await redis.stop()
  })
})

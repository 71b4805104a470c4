/** The whole service on several nodes: test journeys advance through Redis, without anybody looking for what is due. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { keyOf } from "../../../../src/runtime/cluster/redis/Redis.ts"
import { ask, makeCompany, start, startBody } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { freePort } from "../../../support/freePort.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../../support/redisServer.ts"
import { freshDatabase, startService, type Service } from "../../../support/service.ts"

const journeys = 20

describeWithRedis("two runners and a client", () => {
  let server: RedisServer
  let nodes: ReadonlyArray<Service>
  beforeAll(async () => {
    server = await startRedis()
    const common = {
      DATABASE_URL: await freshDatabase(),
      REDIS_URL: server.url,
      SANDBOX_STEP: "200 millis",
      SANDBOX_CALLER_STEP: "200 millis"
    }
    // Somebody else has the turn and never looks.
    await server.command("set", keyOf("watch", "journeys"), "somebody", "px", 600_000)
    nodes = [
      await startService({ ...common, RUNNER_ADDRESS: `127.0.0.1:${await freePort()}` }),
      await startService({ ...common, RUNNER_ADDRESS: `127.0.0.1:${await freePort()}` }),
      await startService(common)
    ]
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    await server.stop()
  })

  it("advance journeys that were started on any of them to their end, and leave nothing behind in Redis", async () => {
    const [first] = nodes
    if (first === undefined) throw new Error("no node")
    const { testKey } = await makeCompany(first)
    const ids: Array<string> = []
    for (let at = 0; at < journeys; at++) {
      const node = nodes[at % nodes.length] ?? first
      const answer = await start(node, testKey, startBody(at % 2 === 0 ? "IDENTITY_DELIVERY" : "CASH_SALE"))
      expect(answer.status).toBe(202)
      ids.push(answer.data.id)
    }
    for (const id of ids) {
      await eventually(
        () => ask(first, testKey, `/api/v1/journeys/${id}`),
        ({ data }) => data?.status === "COMPLETED",
        30_000
      )
    }
    await eventually(
      async () => [
        await server.command("zcard", keyOf("wake-ups", "due")),
        await server.command("zcard", keyOf("wake-ups", "claimed"))
      ],
      (left) => left.join() === "0,0"
    )
  })
})

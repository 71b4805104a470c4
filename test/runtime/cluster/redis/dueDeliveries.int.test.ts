/** Due deliveries of several nodes: the leader looks for all nodes, and another node takes over when the leader stops. */
import { Context, Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, expect, it } from "vitest"
import { EndpointMailbox } from "../../../../src/actors/webhook/actor/EndpointMailbox.ts"
import * as Database from "../../../../src/runtime/postgres/Database.ts"
import { migrations } from "../../../../src/runtime/postgres/migrations/all.ts"
import * as WebhookDeliveryAlarms from "../../../../src/runtime/work/DeliveryAlarms.ts"
import { layerOf } from "../../../../src/runtime/cluster/redis/Redis.ts"
import * as RedisLeadership from "../../../../src/runtime/cluster/redis/RedisLeadership.ts"
import { writeCompany, writeEvent } from "../../../support/endpointActors.ts"
import { writeEndpoint } from "../../../support/endpoints.ts"
import { eventually } from "../../../support/eventually.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../../support/redisServer.ts"
import { freshDatabase } from "../../../support/service.ts"

/** A node that wakes endpoints, and writes down which. */
const startNode = async (databaseUrl: string, redisUrl: string) => {
  const woken: Array<string> = []
  const mailbox = Layer.mock(EndpointMailbox, {
    wake: (endpointId) => Effect.sync(() => void woken.push(endpointId))
  })
  const runtime = ManagedRuntime.make(
    WebhookDeliveryAlarms.deliveryAlarms({ isRunner: true }).pipe(
      Layer.provide([mailbox, WebhookDeliveryAlarms.layer]),
      Layer.provide(Layer.provide(RedisLeadership.layer, layerOf(Redacted.make(redisUrl)))),
      Layer.provideMerge(Logger.layer([])),
      Layer.provideMerge(Database.layerOf(Redacted.make(databaseUrl), migrations))
    )
  )
  const sql = Context.get(await runtime.context(), SqlClient.SqlClient)
  const query = <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
    runtime.runPromise(sql.unsafe<Row>(text, values))
  return { woken, query, stop: () => runtime.dispose() }
}

type Node = Awaited<ReturnType<typeof startNode>>

const writeDue = async ({ query }: Node, url: string): Promise<string> => {
  const companyId = await writeCompany(query)
  const endpointId = await writeEndpoint(query, { companyId, url })
  await writeEvent(query, { endpointId, at: Date.now() })
  return endpointId
}

describeWithRedis("due deliveries", () => {
  let server: RedisServer
  let nodes: ReadonlyArray<Node>
  beforeAll(async () => {
    server = await startRedis()
    const databaseUrl = await freshDatabase()
    nodes = [await startNode(databaseUrl, server.url), await startNode(databaseUrl, server.url)]
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    await server.stop()
  })

  it("are looked for by the leader, by the other node when the leader stops, and by each node when Redis is away", async () => {
    const [first, second] = nodes
    if (first === undefined || second === undefined) throw new Error("no nodes")
    const endpointId = await writeDue(first, "https://hooks.example.com/one")
    // Woken again every two seconds for as long as something is due there.
    await eventually(
      () => nodes.map(({ woken }) => woken.length),
      (counts) => counts.some((count) => count >= 2),
      15_000
    )
    const looking = first.woken.length > 0 ? first : second
    const other = looking === first ? second : first
    expect(other.woken).toEqual([])
    expect(new Set(looking.woken)).toEqual(new Set([endpointId]))

    await looking.stop()
    await eventually(
      () => other.woken.length,
      (count) => count > 0
    )

    await server.kill("SIGSTOP")
    const late = await writeDue(other, "https://hooks.example.com/two")
    await eventually(
      () => other.woken.includes(late),
      (is) => is
    )
  })
})

/** One trace over two nodes: asked at a client, handled on the runner; and a journey's story goes on wherever it is picked up. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { clusterEnvironment, startRunner } from "../../support/nodes.ts"
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from "../../support/otlpReceiver.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../support/redisServer.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"
import { eventually } from "../../support/eventually.ts"
import { familiesOf } from "./promql.ts"

describeWithRedis("a client and a runner", () => {
  let redis: RedisServer
  let collectors: ReadonlyArray<OtlpReceiver>
  let nodes: ReadonlyArray<Service>
  let company: TestCompany

  beforeAll(async () => {
    redis = await startRedis()
    collectors = [await startOtlpReceiver(), await startOtlpReceiver()]
    const environment = { ...(await clusterEnvironment(redis)), SANDBOX_STEP: "1 hour" }
    const [ofClient, ofRunner] = collectors.map(({ url }) => ({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: url }))
    nodes = [await startService(ofClient), await startRunner({ ...ofRunner })]
    const [first] = nodes
    if (first === undefined) throw new Error("no node")
    company = await makeCompany(first, { settings: { sandbox: { pace: "manual" } } })
    // The runner holds the shards: what the client is asked passes to it.
    await eventually(
      () => redis.command("hlen", "{journeys}:cluster:leases"),
      (leases) => Number(leases) > 0,
      30_000
    )
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    await Promise.all(collectors.map((collector) => collector.stop()))
    await redis.stop()
  })

  it("make one trace of a request to the client and its message on the runner, and show the runners", async () => {
    const [first] = nodes
    const [here, there] = collectors
    if (first === undefined || here === undefined || there === undefined) throw new Error("no node")
    for (let round = 0; round < 12; round++) {
      const { data } = await start(first, company.testKey, startBody("IDENTITY_DELIVERY"))
      const body = { reason: "The customer has changed her mind." }
      const answer = await ask(first, company.testKey, `/api/v1/journeys/${data.id}/cancel`, { body })
      expect(answer.status).toBe(200)
    }
    const answer = await fetch(`${first.baseUrl}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })
    const values = new Map(
      familiesOf(await answer.text()).map(({ name, samples }) => [name, samples.map(({ value }) => value)])
    )
    expect(values.get("effect_cluster_runners")).toEqual([1])
    expect(values.get("effect_cluster_runners_healthy")).toEqual([1])

    const handledThere = await eventually(
      () => there.spans.filter(({ name }) => name === "Journey.Tell"),
      (spans) => spans.length > 0
    )
    const isHere = (parent: ReceivedSpan) =>
      here.spans.find(({ spanId, traceId }) => spanId === parent.parentSpanId && traceId === parent.traceId)
    for (const handled of handledThere) {
      const sent = await eventually(() => isHere(handled), Boolean)
      expect([sent?.name, sent?.attributes["journey.id"]]).toEqual([
        "Journey.client.Tell",
        handled.attributes["journey.id"]
      ])
      const within = there.spans.filter(({ parentSpanId }) => parentSpanId === handled.spanId)
      expect(within.map(({ name }) => name)).toContain("JourneyStore.commit")
      expect(new Set(within.map(({ traceId }) => traceId))).toEqual(new Set([sent?.traceId]))
    }
  })
})

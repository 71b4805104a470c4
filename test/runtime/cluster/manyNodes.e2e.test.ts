/**
 * Runners as separate processes: a runner that dies, or is told to stop, leaves its journeys to the others within the promised
 * time. How long that takes is measured elsewhere.
 */
import { afterEach, beforeEach, expect, it } from "vitest"
import { ask, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { queryDirectly } from "../../support/directly.ts"
import { eventually } from "../../support/eventually.ts"
import { clusterEnvironment, runnerEnvironment } from "../../support/nodes.ts"
import { listening, startMain, temporaryFolder, type MainProcess } from "../../support/processes.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../support/redisServer.ts"
import { operatorToken } from "../../support/service.ts"

const journeys = 24
/** The promise is 10 s; a busy machine gets some more. */
const takenOverWithinMillis = 20_000

interface Node {
  readonly baseUrl: string
  readonly main: MainProcess
}

describeWithRedis("of two runner processes", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let redis: RedisServer
  let environment: Readonly<Record<string, string>>
  let nodes: Array<Node>
  let company: TestCompany
  let started: ReadonlyArray<string>

  const startNode = async (): Promise<Node> => {
    const main = startMain(folder.path, { ...environment, ...(await runnerEnvironment()) })
    const [, baseUrl = ""] = await main.printed(listening)
    const node = { main, baseUrl }
    nodes.push(node)
    return node
  }
  const ownersOfShards = async () => {
    const leases = (await redis.command("hvals", "{journeys}:cluster:leases")) as ReadonlyArray<string>
    return new Set(leases.map((lease) => (JSON.parse(lease) as { readonly owner: string }).owner)).size
  }
  const simulate = (node: Node, id: string, event: string) =>
    ask(node, company.testKey, `/api/v1/journeys/${id}/simulate`, { body: { event } }).then(
      ({ status }) => status,
      // Nobody knows whether it was done: the connection is dropped.
      () => null
    )

  /** Journeys with an actor in memory, on either node. */
  beforeEach(async () => {
    folder = await temporaryFolder()
    redis = await startRedis()
    nodes = []
    environment = {
      ...(await clusterEnvironment(redis)),
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      OPERATOR_TOKEN: operatorToken,
      SANDBOX_STEP: "1 second",
      SANDBOX_CALLER_STEP: "1 hour"
    }
    const first = await startNode()
    await startNode()
    await eventually(ownersOfShards, (owners) => owners === 2)
    company = await makeCompany(first, { settings: { sandbox: { pace: "manual" } } })
    started = await Promise.all(
      Array.from(
        { length: journeys },
        async () => (await start(first, company.testKey, startBody("CASH_SALE"))).data.id
      )
    )
    const answers = await Promise.all(started.map((id) => simulate(first, id, "identity.under_review")))
    expect(new Set(answers)).toEqual(new Set([200]))
  })
  afterEach(async () => {
    await Promise.all(nodes.map(({ main }) => main.stop("SIGKILL")))
    await redis.stop()
    await folder.remove()
  })

  const verifications = async () => {
    const [row] = await queryDirectly<{ readonly journeys: number; readonly events: number }>(
      environment["DATABASE_URL"] ?? "",
      "select count(distinct journey_id)::int as journeys, count(*)::int as events from events where type = 'identity.verified'"
    )
    return row
  }

  it("one that is killed leaves all its journeys to the other at once, and none is moved on twice", async () => {
    const [staying, dying] = nodes as [Node, Node]
    await dying.main.stop("SIGKILL")
    // The leases of the dead runner last for seconds yet, and nobody waits for their end.
    expect(await Promise.all(started.map((id) => simulate(staying, id, "identity.verified")))).toEqual(
      started.map(() => 200)
    )
    expect(await verifications()).toEqual({ journeys, events: journeys })
    await eventually(ownersOfShards, (owners) => owners === 1, takenOverWithinMillis)
  })

  it("one that is frozen keeps nobody waiting, and its memory of a journey is worth nothing afterwards", async () => {
    const [staying, frozen] = nodes as [Node, Node]
    // It says no, and has the journeys in memory from now on.
    expect(new Set(await Promise.all(started.map((id) => simulate(frozen, id, "identity.under_review"))))).toEqual(
      new Set([409])
    )
    frozen.main.signal("SIGSTOP")
    expect(await Promise.all(started.map((id) => simulate(staying, id, "identity.verified")))).toEqual(
      started.map(() => 200)
    )
    frozen.main.signal("SIGCONT")
    const answers = await Promise.all(started.map((id) => simulate(frozen, id, "identity.verified")))
    expect(new Set(answers)).toEqual(new Set([409]))
    expect(await verifications()).toEqual({ journeys, events: journeys })
  })

  it("one that is told to stop hands its journeys over, ends with 0, and no message is lost", async () => {
    const [staying, leaving] = nodes as [Node, Node]
    const messages = started.map((id) => simulate(staying, id, "identity.verified"))
    const ended = leaving.main.stop("SIGTERM")
    expect(await Promise.all(messages)).toEqual(started.map(() => 200))
    expect(await ended).toMatchObject({ code: 0, stderr: "" })
    expect(await ownersOfShards()).toBe(1)
    expect(await verifications()).toEqual({ journeys, events: journeys })
    const registered = await redis.command("hlen", "{journeys}:cluster:runners")
    expect(registered).toBe(1)
  })
})

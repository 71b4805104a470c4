/**
 * Wake-ups of several nodes through a real Redis: they are prompt, each happens once while Redis answers, and none is lost
 * whatever happens to Redis.
 */
import { Duration, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { Leadership, type Candidate, type LeadershipRole } from "../../../../src/actors/kernel/Leadership.ts"
import { keyOf, layerOf } from "../../../../src/runtime/cluster/redis/Redis.ts"
import { wakeUpLimits } from "../../../../src/runtime/cluster/redis/limits.ts"
import * as RedisLeadership from "../../../../src/runtime/cluster/redis/RedisLeadership.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { eventually } from "../../../support/eventually.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../../support/redisServer.ts"
import { freshDatabase } from "../../../support/service.ts"
import { startWakingNode, type Wake, type WakingNode } from "../../../support/wakingNodes.ts"

const due = keyOf("wake-ups", "due")
const claimed = keyOf("wake-ups", "claimed")
const watch = keyOf("watch", "journeys")

let server: RedisServer
let databaseUrl: string
beforeAll(async () => {
  server = await startRedis()
  databaseUrl = await freshDatabase()
})
afterAll(() => server.stop())

let stops: Array<() => Promise<unknown>> = []
afterEach(async () => {
  await server.kill("SIGCONT")
  await Promise.all(stops.map((stop) => stop()))
  stops = []
  await server.command("flushall")
  // What a node had not finished when it was stopped is nothing for the next test: one that hangs would fill up with it.
  await queryDirectly(databaseUrl, "update journeys set wake_at = null")
})

const startNode = async (options?: { readonly isRunner: boolean }): Promise<WakingNode> => {
  const node = await startWakingNode(databaseUrl, server.url, options)
  stops.push(node.stop)
  return node
}

/** Somebody else has the turn and never looks: what is woken now is woken through Redis. */
const nobodyLooks = () => server.command("set", watch, "somebody", "px", 600_000)

const within = (millis: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, at) => Math.floor((at * millis) / count))

const wakesOf = (nodes: ReadonlyArray<WakingNode>, journeys: ReadonlyArray<Wake>): ReadonlyArray<Wake> => {
  const ids = new Set(journeys.map(({ journeyId }) => journeyId))
  return nodes.flatMap(({ woken }) => woken).filter(({ journeyId }) => ids.has(journeyId))
}

const allWoken = (nodes: ReadonlyArray<WakingNode>, journeys: ReadonlyArray<Wake>) =>
  eventually(
    () => new Set(wakesOf(nodes, journeys).map(({ journeyId }) => journeyId)).size,
    (count) => count === journeys.length,
    20_000
  )

describeWithRedis("with Redis", () => {
  it("two nodes share the alarms: each alarm rings once, not too early, and without a look at the rows", async () => {
    await nobodyLooks()
    const nodes = [await startNode(), await startNode()]
    const journeys = await nodes[0]!.write(within(1500, 600).map((wait) => wait + 200))
    await nodes[0]!.tell(journeys)
    await allWoken(nodes, journeys)
    expect(wakesOf(nodes, journeys)).toHaveLength(600)
    for (const node of nodes) expect(node.woken.length).toBeGreaterThan(0)
    const at = new Map(journeys.map((one) => [one.journeyId, one.at]))
    expect(wakesOf(nodes, journeys).filter((wake) => wake.at < (at.get(wake.journeyId) ?? 0))).toEqual([])
    await eventually(
      () => Promise.all([server.command("zcard", due), server.command("zcard", claimed)]),
      (left) => left.join() === "0,0"
    )
  })

  it("what a node announces ends the pause of its own claims: the alarm rings on time and not at the next claim", async () => {
    await nobodyLooks()
    const node = await startNode()
    const late: Array<number> = []
    for (let turn = 0; turn < 15; turn++) {
      const [one] = await node.write([40])
      if (one === undefined) throw new Error("nothing written")
      await node.tell([one])
      const [woken] = await eventually(
        () => wakesOf([node], [one]),
        (wakes) => wakes.length > 0
      )
      late.push((woken?.at ?? Infinity) - one.at)
    }
    // Without it the median would be half of a pause.
    expect(late.toSorted((a, b) => a - b)[7]).toBeLessThan(Duration.toMillis(wakeUpLimits.claimEvery) / 4)
  })

  it("an alarm that is announced again replaces the one before", async () => {
    await nobodyLooks()
    const node = await startNode()
    const [later, sooner] = await node.write([300, 60_000])
    if (later === undefined || sooner === undefined) throw new Error("nothing written")
    await node.tell([later, sooner])
    await node.tell([
      { ...later, at: later.at + 60_000 },
      { ...sooner, at: Date.now() + 600 }
    ])
    await allWoken([node], [sooner])
    expect(wakesOf([node], [later])).toEqual([])
  })

  it("an alarm that was never announced, or forgotten, is found by the leader, and rings once", async () => {
    const nodes = [await startNode(), await startNode()]
    const [one] = nodes
    const untold = await one!.write(within(500, 300))
    const emptied = await one!.write(within(500, 300).map((wait) => wait + 1000))
    await one!.tell(emptied)
    await eventually(
      () => server.command("zcard", due),
      (count) => Number(count) === 300
    )
    await server.command("flushall")
    const all = [...untold, ...emptied]
    await allWoken(nodes, all)
    expect(wakesOf(nodes, all)).toHaveLength(all.length)
  })

  // A machine that stands still for a quarter of a second makes a node believe that Redis is away, and wake for itself:
  // that is another test's matter, and here it is tried again.
  it("a journey that is being woken, however long that takes, is not taken for forgotten", { retry: 2 }, async () => {
    const node = await startNode()
    await eventually(
      () => server.command("get", watch),
      (holder) => holder !== null
    )
    node.hang()
    const [slow] = await node.write([0])
    if (slow === undefined) throw new Error("nothing written")
    await node.tell([slow])
    await allWoken([node], [slow])
    const claim = await server.command("zscore", claimed, slow.journeyId)
    expect(claim).not.toBeNull()
    // A look that finds this one has found the other, too.
    await allWoken([node], await node.write([0]))
    expect(await server.command("zscore", claimed, slow.journeyId)).toBe(claim)
  })

  it("the journeys that a dead node had claimed are woken when its claims end", async () => {
    await nobodyLooks()
    const dying = await startNode()
    dying.hang()
    const journeys = await dying.write(within(1, 20))
    await dying.tell(journeys)
    await allWoken([dying], journeys)
    expect(await server.command("zcard", claimed)).toBe(20)
    const heir = await startNode()
    await dying.die()
    await allWoken([heir], journeys)
    expect(wakesOf([heir], journeys)).toHaveLength(20)
  })

  it("the journeys that a stopping node had claimed and not finished are woken at once", async () => {
    await nobodyLooks()
    const stopping = await startNode()
    stopping.hang()
    const journeys = await stopping.write(within(1, 20))
    await stopping.tell(journeys)
    await allWoken([stopping], journeys)
    await stopping.stop()
    expect(await server.command("zcard", claimed)).toBe(0)
    expect(await server.command("zcard", due)).toBe(20)
    const heir = await startNode()
    await allWoken([heir], journeys)
  })

  it("an alarm that is months ahead is not kept in Redis", async () => {
    const node = await startNode()
    const [far, near] = await node.write([40 * 24 * 60 * 60 * 1000, 60_000])
    if (far === undefined || near === undefined) throw new Error("nothing written")
    await node.tell([far, near])
    await eventually(
      () => server.command("zrange", due, 0, -1),
      (ids) => Array.isArray(ids) && ids.join() === near.journeyId
    )
  })

  it("a node that is only a client wakes what it starts, and leaves the rest to the runners", async () => {
    const client = await startNode({ isRunner: false })
    const [own, ...others] = await client.write([0, ...within(1000, 200)])
    if (own === undefined) throw new Error("nothing written")
    await client.tell(others)
    await client.wakeNow(own.journeyId)
    await allWoken([client], [own])
    const runner = await startNode()
    await allWoken([runner], others)
    expect(wakesOf([client], others)).toEqual([])
  })
})

describeWithRedis("without Redis", () => {
  it("a journey that hangs does not keep the others waiting", async () => {
    const node = await startNode()
    await server.kill("SIGSTOP")
    node.hang()
    await allWoken([node], await node.write([0]))
    await allWoken([node], await node.write([0]))
  })

  it.for([
    ["frozen", () => server.kill("SIGSTOP"), () => server.kill("SIGCONT")],
    ["killed", () => server.kill("SIGKILL"), () => server.restart()],
    ["read-only", () => server.command("replicaof", "127.0.0.1", 1), () => server.command("replicaof", "no", "one")]
  ] as const)(
    "each node looks for itself while Redis is %s, and through Redis when it is back",
    async ([, goAway, comeBack]) => {
      const nodes = [await startNode(), await startNode()]
      const [one] = nodes
      const told = await one!.write(within(1000, 50).map((wait) => wait + 1500))
      await one!.tell(told)
      await goAway()
      const untold = await one!.write(within(500, 50))
      // Telling neither waits nor fails.
      await one!.tell(untold)
      await allWoken(nodes, [...told, ...untold])

      await comeBack()
      await eventually(
        () => server.command("get", watch),
        (holder) => holder !== null
      )
      await server.command("flushall")
      await nobodyLooks()
      const after = await one!.write(within(300, 50).map((wait) => wait + 200))
      await eventually(
        async () => {
          await one!.tell(after)
          return server.command("zcard", due)
        },
        (count) => Number(count) > 0
      )
      await allWoken(nodes, after)
    }
  )
})

interface StartedCandidate {
  readonly candidate: Candidate
  readonly role: () => Promise<LeadershipRole>
}

const startCandidate = async (): Promise<StartedCandidate> => {
  const runtime = ManagedRuntime.make(Layer.provide(RedisLeadership.layer, layerOf(Redacted.make(server.url))))
  stops.push(() => runtime.dispose())
  const candidate = (await runtime.runPromise(Leadership)).of("deliveries")
  return { candidate, role: () => runtime.runPromise(candidate.role) }
}
/** Two nodes of which one leads. */
const twoCandidates = async () => {
  const both = [await startCandidate(), await startCandidate()] as const
  const roles = () => Promise.all(both.map((one) => one.role()))
  await eventually(roles, (two) => two.includes("LEADER") && two.includes("FOLLOWER"))
  const [leader, follower] = (await both[0].role()) === "LEADER" ? both : [both[1], both[0]]
  return { leader, follower }
}

describeWithRedis("leadership", () => {
  it("stays with one of two nodes; the other node leads when the leader stops asking", async () => {
    const { leader, follower } = await twoCandidates()
    for (let look = 0; look < 5; look++) {
      expect(await leader.role()).toBe("LEADER")
      expect(await follower.role()).toBe("FOLLOWER")
    }
    await eventually(follower.role, (role) => role === "LEADER")
    expect(await leader.role()).toBe("FOLLOWER")
  })

  it("goes to another node when the leader steps down, and the leader does not ask for a while", async () => {
    const { leader, follower } = await twoCandidates()
    await Effect.runPromise(leader.candidate.stepDown)
    expect(await leader.role()).toBe("FOLLOWER")
    expect(await follower.role()).toBe("LEADER")
  })

  it("is not taken from the leader by another node that steps down", async () => {
    const { follower } = await twoCandidates()
    await Effect.runPromise(follower.candidate.stepDown)
    expect(await (await startCandidate()).role()).toBe("FOLLOWER")
  })

  it("belongs to nobody without Redis: every node does the work itself", async () => {
    const { leader, follower } = await twoCandidates()
    await server.kill("SIGSTOP")
    expect(await Promise.all([leader.role(), follower.role()])).toEqual(["ALONE", "ALONE"])
  })
})

/** A deployment: every node is stopped and started again, one after another, while callers go on. */
import { expect, it } from "vitest"
import { describeWithRedis } from "../support/redisServer.ts"
import { eventually } from "../support/eventually.ts"
import { startBalancer } from "./Balancer.ts"
import { ClientLog } from "./ClientLog.ts"
import { dice } from "./Dice.ts"
import { caller, type Callers } from "./load.ts"
import { quiet, wrongs } from "./verdict.ts"
import { withWorld } from "./World.ts"

describeWithRedis("a rolling restart under load", () => {
  it("shows callers only documented answers, and refusals that succeed when they are repeated", async () => {
    await withWorld(2, async (world) => {
      const log = new ClientLog()
      const balancer = startBalancer(world.nodes)
      const calling: Callers = {
        baseUrls: balancer.ready,
        apiKey: world.apiKey,
        log,
        dice: dice(5),
        run: "rolling"
      }
      let isOver = false
      const load = Array.from({ length: 6 }, (_, name) => caller(calling, name, () => isOver))
      for (const node of world.nodes) {
        expect(await node.end("SIGTERM")).toBe(0)
        await node.start()
        // The next node goes when the balancer has taken this one in again.
        await eventually(balancer.ready, (ready) => ready.includes(node.baseUrl), 30_000)
      }
      isOver = true
      await Promise.all(load)
      await balancer.stop()
      expect(await quiet(world)).toEqual([])
      expect(await wrongs(world, log)).toEqual([])
      expect(log.drops).toBe(0)
      expect(log.starts.filter(({ acknowledged, isAbandoned }) => acknowledged === null && !isAbandoned)).toEqual([])
    })
  }, 240_000)
})

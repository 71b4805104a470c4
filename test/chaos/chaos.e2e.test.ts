/** Every fault once, against three nodes under load. `npm run chaos` goes on for as long as it is told. */
import { expect, it } from "vitest"
import { describeWithRedis } from "../support/redisServer.ts"
import { chaos } from "./chaos.ts"

describeWithRedis("three nodes under load", () => {
  it("lose nothing, double nothing and go on by themselves, whatever is killed, frozen, stopped or emptied", async () => {
    const said: Array<string> = []
    const report = await chaos({ seed: 11, nodes: 3, callers: 4, lasting: "each once", say: (line) => said.push(line) })
    expect(report.wrongs.slice(0, 20), said.join("\n")).toEqual([])
    expect(report.takeOvers).not.toContain(null)
    expect(report.log.starts.filter((start) => start.acknowledged !== null).length).toBeGreaterThan(20)
  }, 600_000)
})

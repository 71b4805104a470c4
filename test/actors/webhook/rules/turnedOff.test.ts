/** The moment in which an endpoint is turned off, and what another node must know for it, in the world of `endpointWorld.ts`. */
import { Duration } from "effect"
import { expect, it } from "vitest"
import { webhookLimits } from "../../../../src/schema/webhook/limits.ts"
import { World } from "./endpointWorld.ts"

it("an endpoint that two attempts at once turn off is turned off, and reported, once", () => {
  const world = new World()
  world.now += Duration.toMillis(webhookLimits.turnedOffAfter)
  const failingSince = world.now - Duration.toMillis(webhookLimits.turnedOffAfter)
  world.save({ health: { failingSince, lastFailedAt: world.now - 1, warnings: webhookLimits.warningHours.length } })
  for (const journey of [1, 2]) world.happen(journey, "SCHEDULE")
  world.turn()
  expect(world.inFlight).toHaveLength(2)
  for (const _ of [1, 2]) world.end(0, "Failed")
  world.turn()
  expect(world.endpoint).toMatchObject({ enabled: false, offReason: "UNREACHABLE" })
  const actions = world.entries.flatMap(({ decision }) => decision.actions.map(({ _tag }) => _tag))
  expect(actions.filter((tag) => tag === "ReportTurnedOff")).toHaveLength(1)
  expect(actions.filter((tag) => tag === "Record")).toHaveLength(2)
})

it.each([
  ["is written down when a minute has passed", 0, true],
  ["is not written down each time", 1000, false]
])("the time at which an endpoint failed last %s, and another node goes on from there", (_what, less, isWritten) => {
  const world = new World()
  const lastFailedAt = world.now - Duration.toMillis(webhookLimits.healthWriteInterval) + less
  world.save({ health: { failingSince: lastFailedAt, lastFailedAt, warnings: 0 } })
  world.happen(1, "SCHEDULE")
  world.turn()
  world.end(0, "Failed")
  world.turn()
  const failedAt = world.entries.findLast(({ message }) => message._tag === "AttemptEnded")?.now ?? 0
  expect(world.endpoint.health.lastFailedAt).toBe(isWritten ? failedAt : lastFailedAt)
})

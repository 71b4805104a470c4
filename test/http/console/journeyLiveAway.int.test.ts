/** The stream of a journey's page while the database is away, and when the service stops. */
import { afterEach, beforeEach, expect, test } from "vitest"
import { startProxy, type Proxy } from "../../support/proxy.ts"
import { freshDatabase } from "../../support/service.ts"
import { journeyAt, simulate } from "../api/settings/reviewGround.ts"
import type { ConsoleGround } from "./consoleGround.ts"
import { openStream, startJourneyConsole } from "./journeyGround.ts"

/** Milliseconds for the test: less than a stopping server waits for answers under way. */
const promptly = 5000

let proxy: Proxy
let ground: ConsoleGround
let isStopped: boolean
beforeEach(async () => {
  proxy = await startProxy(await freshDatabase())
  ground = await startJourneyConsole({ DATABASE_URL: proxy.url })
  isStopped = false
})
afterEach(async () => {
  proxy.heal()
  if (!isStopped) await ground.service.stop()
  await proxy.close()
})

const changed = "event: journey-changed\ndata: \n\n"

test("says that the database is away, and goes on when it is back", async () => {
  const { id } = await journeyAt(ground.service, ground.company, "IDENTITY_DELIVERY", null)
  const stream = await openStream(ground.service.baseUrl, ground.team, id)
  await stream.until(changed)
  proxy.refuse()
  expect(await stream.until("The database does not answer at the moment.")).not.toBe(null)
  proxy.heal()
  expect(await stream.until("This page updates itself.", 2)).not.toBe(null)
  await simulate(ground.service, ground.company, id, "identity.failed")
  expect(await stream.until(changed, 2)).not.toBe(null)
  stream.close()
}, 60_000)

test("ends at once when the service stops, and does not hold it", async () => {
  const { id } = await journeyAt(ground.service, ground.company, "IDENTITY_DELIVERY", null)
  const stream = await openStream(ground.service.baseUrl, ground.team, id)
  await stream.until(changed)
  const begun = performance.now()
  isStopped = true
  const stopped = ground.service.stop()
  expect(await stream.end()).not.toContain("live-end")
  await stopped
  expect(performance.now() - begun).toBeLessThan(promptly)
}, 60_000)

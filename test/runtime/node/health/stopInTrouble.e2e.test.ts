/** A service that is told to stop while what it needs does not answer ends in time all the same. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeCompany, start, startBody } from "../../../support/companies.ts"
import { freePort } from "../../../support/freePort.ts"
import { listening, startMain, temporaryFolder } from "../../../support/processes.ts"
import { startProxy } from "../../../support/proxy.ts"
import { describeWithRedis, startRedis } from "../../../support/redisServer.ts"
import { freshDatabase, operatorToken } from "../../../support/service.ts"

/** The promise: a stop ends within this time, whatever hangs. */
const stopsWithinMillis = 15_000

const startRunner = async () => {
  const folder = await temporaryFolder()
  const redis = await startRedis()
  const proxy = await startProxy(await freshDatabase())
  const main = startMain(folder.path, {
    DATABASE_URL: proxy.url,
    REDIS_URL: redis.url,
    RUNNER_ADDRESS: `127.0.0.1:${await freePort()}`,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    OPERATOR_TOKEN: operatorToken
  })
  const end = async () => {
    await main.stop("SIGKILL")
    await proxy.close()
    await redis.stop()
    await folder.remove()
  }
  return { main, proxy, redis, end }
}
type Runner = Awaited<ReturnType<typeof startRunner>>

const troubles: ReadonlyArray<readonly [string, (runner: Runner) => unknown]> = [
  ["nothing is wrong", () => undefined],
  ["Redis is frozen", ({ redis }) => redis.kill("SIGSTOP")],
  ["Redis is gone", ({ redis }) => redis.kill("SIGKILL")],
  ["PostgreSQL is silent", ({ proxy }) => proxy.freeze()],
  ["PostgreSQL is gone", ({ proxy }) => proxy.refuse()]
]

describeWithRedis("SIGTERM of a runner", () => {
  const runners: Array<Runner> = []
  beforeAll(async () => {
    for (const _ of troubles) {
      const runner = await startRunner()
      runners.push(runner)
      const [, baseUrl = ""] = await runner.main.printed(listening)
      const company = await makeCompany({ baseUrl })
      expect((await start({ baseUrl }, company.testKey, startBody("IDENTITY_DELIVERY"))).status).toBe(202)
    }
  })
  afterAll(() => Promise.all(runners.map(({ end }) => end())))

  // A stop in trouble waits for what does not answer: all of them wait at once.
  it.concurrent.each(troubles.map(([name, trouble], at) => ({ name, trouble, at })))(
    "ends with exit code 0 in time when $name",
    { timeout: 60_000 },
    async ({ at, trouble }) => {
      const runner = runners[at] ?? expect.fail("no runner")
      await trouble(runner)
      const asked = performance.now()
      const { code } = await runner.main.stop("SIGTERM")
      expect(code).toBe(0)
      expect(performance.now() - asked).toBeLessThan(stopsWithinMillis)
    }
  )
})

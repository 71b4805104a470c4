/** A service that is told to stop while what it needs does not answer ends in time all the same. */
import { afterEach, beforeEach, expect, it } from "vitest"
import { makeCompany, start, startBody } from "../../../support/companies.ts"
import { freePort } from "../../../support/freePort.ts"
import { listening, startMain, temporaryFolder, type MainProcess } from "../../../support/processes.ts"
import { startProxy, type Proxy } from "../../../support/proxy.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../../support/redisServer.ts"
import { freshDatabase, operatorToken } from "../../../support/service.ts"

/** The promise: a stop ends within this time, whatever hangs. */
const stopsWithinMillis = 15_000

describeWithRedis("SIGTERM of a runner", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let redis: RedisServer
  let proxy: Proxy
  let main: MainProcess

  beforeEach(async () => {
    folder = await temporaryFolder()
    redis = await startRedis()
    proxy = await startProxy(await freshDatabase())
    main = startMain(folder.path, {
      DATABASE_URL: proxy.url,
      REDIS_URL: redis.url,
      RUNNER_ADDRESS: `127.0.0.1:${await freePort()}`,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      OPERATOR_TOKEN: operatorToken
    })
    const [, baseUrl = ""] = await main.printed(listening)
    const company = await makeCompany({ baseUrl })
    expect((await start({ baseUrl }, company.testKey, startBody("IDENTITY_DELIVERY"))).status).toBe(202)
  })
  afterEach(async () => {
    await main.stop("SIGKILL")
    await proxy.close()
    await redis.stop()
    await folder.remove()
  })

  const troubles: ReadonlyArray<readonly [string, () => unknown]> = [
    ["nothing is wrong", () => undefined],
    ["Redis is frozen", () => redis.kill("SIGSTOP")],
    ["Redis is gone", () => redis.kill("SIGKILL")],
    ["PostgreSQL is silent", () => proxy.freeze()],
    ["PostgreSQL is gone", () => proxy.refuse()]
  ]

  it.each(troubles)(
    "ends with exit code 0 in time when %s",
    async (_, trouble) => {
      await trouble()
      const asked = performance.now()
      const { code } = await main.stop("SIGTERM")
      expect(code).toBe(0)
      expect(performance.now() - asked).toBeLessThan(stopsWithinMillis)
    },
    60_000
  )
})

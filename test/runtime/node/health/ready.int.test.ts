/** GET /health/live and /health/ready of a real service whose database is behind a proxy. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { directly, queryDirectly } from "../../../support/directly.ts"
import { eventually } from "../../../support/eventually.ts"
import { startProxy, type Proxy } from "../../../support/proxy.ts"
import { freshDatabase, startService, type Service } from "../../../support/service.ts"

interface Health {
  readonly code: number
  readonly status: string
  readonly checks: Readonly<
    Record<
      string,
      {
        readonly status: string
        readonly message: string
        readonly since?: string
        readonly measured?: Readonly<Record<string, number>>
      }
    >
  >
}

/** The promise: an answer within this time, whatever hangs. */
const answersWithinMillis = 2000
const askedAtOnce = 100

let databaseUrl: string
let proxy: Proxy
let service: Service

beforeAll(async () => {
  databaseUrl = await freshDatabase()
  proxy = await startProxy(databaseUrl)
  service = await startService({ DATABASE_URL: proxy.url, SANDBOX_STEP: "100 millis", LOG_LEVEL: "none" })
})
afterAll(async () => {
  proxy.heal()
  await service.stop()
  await proxy.close()
})

const ready = async (): Promise<Health> => {
  const response = await fetch(`${service.baseUrl}/health/ready`, { signal: AbortSignal.timeout(answersWithinMillis) })
  return { code: response.status, ...((await response.json()) as Omit<Health, "code">) }
}
const becomes = (code: number) => eventually(ready, (health) => health.code === code)

/** Transactions of this database so far. */
const asked = () =>
  queryDirectly<{ readonly calls: number }>(
    databaseUrl,
    "select xact_commit::int as calls from pg_stat_database where datname = current_database()"
  )

const query = (text: string) => queryDirectly(databaseUrl, text)

/** A look that has given up waiting for the lock has left the database, too. */
const looksThatWait = async () => {
  const waiting = await query(
    `select 1 from pg_stat_activity where datname = current_database()
       and wait_event_type = 'Lock' and query ilike '%pg_is_in_recovery() as is_standby%'`
  )
  return waiting.length
}

describe("GET /health/ready", () => {
  it("is asked without a key, and names each check", async () => {
    const health = await eventually(ready, ({ checks }) => checks["dueWork"]?.status === "ok")
    expect([health.code, health.status]).toEqual([200, "ready"])
    expect(Object.entries(health.checks).map(([name, { status }]) => [name, status])).toEqual([
      ["database", "ok"],
      ["migrations", "ok"],
      ["clock", "ok"],
      ["dueWork", "ok"],
      ["redis", "ok"],
      ["cluster", "ok"],
      ["stopping", "ok"]
    ])
    expect(health.checks["cluster"]?.measured).toEqual({ runners: 1, shards: 300 })
  })

  it("tells nobody where the database is, nor its password", async () => {
    const text = JSON.stringify(await ready())
    const { hostname, password, port } = new URL(databaseUrl)
    for (const secret of [hostname, password, port].filter((one) => one !== "")) expect(text).not.toContain(secret)
  })

  it("asks the database once a second at most, however often it is asked", async () => {
    const before = (await asked())[0]?.calls ?? 0
    const begun = performance.now()
    await Promise.all(Array.from({ length: askedAtOnce }, ready))
    const seconds = (performance.now() - begun) / 1000
    // What looks at alarms and due work asks a few times a second, too.
    expect(((await asked())[0]?.calls ?? 0) - before).toBeLessThan(askedAtOnce / 4 + seconds * 20)
  })

  it.each(["refuse", "freeze"] as const)(
    "says no, in time and since when, while the database is away: %s",
    async (fault) => {
      proxy[fault]()
      const away = await becomes(503)
      expect(away).toMatchObject({
        status: "not ready",
        checks: {
          database: { status: "failed", since: expect.stringMatching(/Z$/) },
          migrations: { status: "degraded" }
        }
      })
      const later = await ready()
      expect(later.checks["database"]?.since).toBe(away.checks["database"]?.since)
      expect((await fetch(`${service.baseUrl}/health/live`)).status).toBe(200)
      proxy.heal()
      await becomes(200)
    }
  )

  it("knows since when something is not well although nobody asked", async () => {
    await directly(databaseUrl, async (locked) => {
      await locked("begin")
      await locked("lock table migrations in access exclusive mode")
      await eventually(looksThatWait, (looks) => looks === 1, 20_000)
      await eventually(looksThatWait, (looks) => looks === 0)
      const askedAt = Date.now()
      const { checks } = await ready()
      expect(checks["database"]?.status).toBe("failed")
      expect(Date.parse(checks["database"]?.since ?? "")).toBeLessThanOrEqual(askedAt)
    })
    await becomes(200)
  })

  it("stays ready when a newer version has migrated the database, and says no when a migration is missing", async () => {
    await query("insert into migrations (id, name) select max(id) + 1, 'of a newer version' from migrations")
    await eventually(ready, ({ code, checks }) => code === 200 && checks["migrations"]?.status === "degraded")
    await query("delete from migrations where id >= (select max(id) - 1 from migrations)")
    expect((await becomes(503)).checks["migrations"]).toMatchObject({ status: "failed", message: /missing/ })
  })

  it("knows only GET", async () => {
    const response = await fetch(`${service.baseUrl}/health/ready`, { method: "POST" })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })
})

describe("GET /health/live", () => {
  it("answers that the process lives, and never from a cache", async () => {
    const response = await fetch(`${service.baseUrl}/health/live`)
    expect([response.status, await response.json(), response.headers.get("cache-control")]).toEqual([
      200,
      { status: "live" },
      "no-store"
    ])
  })
})

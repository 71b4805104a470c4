/**
 * PostgreSQL refuses, falls silent, or is killed: callers hear TEMPORARILY_UNAVAILABLE within five seconds and it is
 * true that nothing was created, and once the database is back everything goes on by itself, alarms included.
 */
import { Effect, Exit, Redacted, Scope } from "effect"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as EmbeddedPostgres from "../../src/runtime/postgres/EmbeddedPostgres.ts"
import { makeCompany, startBody, type TestCompany } from "../support/companies.ts"
import { inconsistencies } from "../support/consistency.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { startProxy, type Proxy } from "../support/proxy.ts"
import { freshDatabase, startService, type Service } from "../support/service.ts"

/** The promise: an answer within this long, whatever it is. */
const answerMillis = 5000

interface Heard {
  readonly status: number
  readonly code: string | undefined
  readonly retryAfter: string | null
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any answer's data
  readonly data: any
}

const unavailable = { status: 503, code: "TEMPORARILY_UNAVAILABLE", retryAfter: "1" }

/** An answer in time, or that the connection was dropped in time; anything slower fails the test. */
const hear = async (service: Service, key: string, path: string, init: RequestInit = {}): Promise<Heard | "dropped"> => {
  try {
    const response = await fetch(`${service.baseUrl}/api/v1/journeys${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...init.headers },
      signal: AbortSignal.timeout(answerMillis)
    })
    const { data, errors } = (await response.json()) as { data: Heard["data"]; errors: ReadonlyArray<{ code: string }> | null }
    return { status: response.status, code: errors?.[0]?.code, retryAfter: response.headers.get("retry-after"), data }
  } catch (error) {
    if (error instanceof TypeError) return "dropped"
    throw error
  }
}

const post = (body: unknown, idempotencyKey: string): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "idempotency-key": idempotencyKey }
})

const statusOf = (heard: Heard | "dropped") => (heard === "dropped" ? heard : heard.status)

const startOf = (service: Service, key: string, idempotencyKey: string, email = `${idempotencyKey}@example.com`) => {
  const body = startBody("FINANCE_ALREADY_SUBMITTED")
  return hear(service, key, "", post({ ...body, customer: { ...body.customer, email } }, idempotencyKey))
}

const startedId = async (service: Service, key: string, idempotencyKey: string, email?: string): Promise<string> => {
  const heard = await startOf(service, key, idempotencyKey, email)
  if (heard === "dropped" || heard.status !== 202) throw new Error(`not started: ${JSON.stringify(heard)}`)
  return heard.data.id
}

/** Every kind of request, each with the status it has when all is well. */
const everyRequest = (service: Service, key: string, id: string, idempotencyKey: string) => [
  { what: "start", well: 202, ask: () => startOf(service, key, idempotencyKey) },
  { what: "read", well: 200, ask: () => hear(service, key, `/${id}`) },
  { what: "list", well: 200, ask: () => hear(service, key, "?size=5") },
  {
    what: "decide",
    well: 200,
    ask: () => hear(service, key, `/${id}/finance-decision`, post({ decision: "REFERRED" }, `${idempotencyKey}-decide`))
  },
  {
    what: "simulate",
    well: 200,
    ask: () => hear(service, key, `/${id}/simulate`, post({ event: "identity.verified" }, `${idempotencyKey}-simulate`))
  },
  {
    what: "cancel",
    well: 200,
    ask: () => hear(service, key, `/${id}/cancel`, post({ reason: "The customer changed their mind" }, `${idempotencyKey}-cancel`))
  }
]

describe("a database behind a network that fails", () => {
  let proxy: Proxy
  let service: Service
  let databaseUrl: string
  let company: TestCompany

  beforeAll(async () => {
    databaseUrl = await freshDatabase()
    proxy = await startProxy(databaseUrl)
    service = await startService({ DATABASE_URL: proxy.url, SANDBOX_STEP: "300 millis", SANDBOX_CALLER_STEP: "300 millis" })
    company = await makeCompany(service)
  })
  afterAll(async () => {
    await service.stop()
    await proxy.close()
  })

  const query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) =>
    queryDirectly<Row>(databaseUrl, text, values)
  const journal = async () => (await query<{ readonly lines: number }>("select count(*)::int as lines from journal"))[0]?.lines
  const isBack = () =>
    eventually(
      () => hear(service, company.testKey, "?size=1"),
      (heard) => statusOf(heard) === 200
    )
  const completes = (id: string) =>
    eventually(
      () => query<{ readonly status: string }>("select status from journeys where id = $1", [id]),
      ([row]) => row?.status === "COMPLETED",
      30_000
    )
  const waiting = (idempotencyKey: string) =>
    startedId(service, company.testKey, idempotencyKey, `${idempotencyKey}+never@example.com`)

  it("that refuses: every request is answered 503 in time and created nothing, and the same requests succeed later", async () => {
    const id = await waiting("refuse-base-1")
    const moving = await startedId(service, company.testKey, "refuse-moving")
    proxy.refuse()
    const before = await journal()
    const requests = everyRequest(service, company.testKey, id, "refuse-start")
    for (const { ask, what } of requests) expect({ what, ...(await ask()) as Heard }).toMatchObject({ what, ...unavailable })
    expect(await Promise.all(requests.map(async ({ ask }) => statusOf(await ask())))).toEqual(requests.map(() => 503))
    expect(await journal()).toBe(before)
    proxy.heal()
    await isBack()
    for (const { ask, well, what } of requests) expect({ what, status: statusOf(await ask()) }).toEqual({ what, status: well })
    await completes(moving)
  })

  it("that falls silent: every request ends in time, what is answered 503 created nothing, and all goes on later", async () => {
    const id = await waiting("silent-base-1")
    const moving = await startedId(service, company.testKey, "silent-moving")
    proxy.freeze()
    const requests = everyRequest(service, company.testKey, id, "silent-start")
    const atOnce = await Promise.all(requests.map(async ({ ask, what }) => ({ what, status: statusOf(await ask()) })))
    // Reads are told "later"; of writes that were on their way nothing can be said.
    expect(atOnce.filter(({ status }) => status !== 503 && status !== "dropped")).toEqual([])
    expect(atOnce.filter(({ what }) => what === "read" || what === "list").map(({ status }) => status)).toEqual([503, 503])
    // By now nobody remembers the key, so nothing gets as far as a write.
    const later = await startOf(service, company.testKey, "silent-later")
    expect(later).toMatchObject(unavailable)
    expect(await query("select 1 from journeys where idempotency_key = 'silent-later'")).toEqual([])
    proxy.heal()
    await isBack()
    await completes(moving)
    for (const { ask, what } of requests) {
      const heard = await ask()
      // What was dropped may have happened; then it is a replay.
      expect({ what, isWell: [200, 202].includes(Number(statusOf(heard))) }).toEqual({ what, isWell: true })
    }
    expect(await query("select count(*)::int as n from journeys where idempotency_key = 'silent-start'")).toEqual([{ n: 1 }])
    expect(await inconsistencies(query)).toEqual([])
  })

  it("that has forgotten every connection: they are given up, and new ones serve", async () => {
    const id = await waiting("forgotten-base-1")
    const moving = await startedId(service, company.testKey, "forgotten-moving")
    proxy.freeze()
    const requests = everyRequest(service, company.testKey, id, "forgotten-start")
    await Promise.all(requests.map(({ ask }) => ask()))
    proxy.healForNewcomers()
    await eventually(
      () => startOf(service, company.testKey, "forgotten-start"),
      (heard) => [200, 202].includes(Number(statusOf(heard))),
      30_000
    )
    await completes(moving)
    for (const { ask, what } of requests) {
      expect({ what, isWell: [200, 202].includes(Number(statusOf(await ask()))) }).toEqual({ what, isWell: true })
    }
    expect(await inconsistencies(query)).toEqual([])
  })
})

describe("a database that ends our sessions", () => {
  it("is connected to again: every start is still answered 202, once, and nothing disagrees", async () => {
    const service = await startService({ SANDBOX_STEP: "100 millis", SANDBOX_CALLER_STEP: "100 millis" })
    const company = await makeCompany(service)
    const query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) =>
      queryDirectly<Row>(service.databaseUrl, text, values)
    let ended = 0
    let isOver = false
    const keys: Array<string> = []
    const load = async () => {
      while (!isOver) {
        const key = `ended-${keys.length.toString().padStart(6, "0")}`
        keys.push(key)
        const heard = await startOf(service, company.testKey, key)
        // The key's own look-up may have been what was cut: then nothing was written, and the caller sends it again.
        if (statusOf(heard) === 503) expect(await query("select 1 from journeys where idempotency_key = $1", [key])).toEqual([])
        else expect(statusOf(heard)).toBe(202)
      }
    }
    const running = Array.from({ length: 8 }, load)
    for (let round = 0; round < 20; round++) {
      const rows = await query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
      )
      ended += rows.length
      const sofar = keys.length
      await eventually(() => keys.length, (count) => count > sofar + 20)
    }
    isOver = true
    await Promise.all(running)
    expect(ended).toBeGreaterThan(20)
    await eventually(
      () => query("select 1 from journeys where status = 'ACTIVE' limit 1"),
      (left) => left.length === 0,
      30_000
    )
    expect(await inconsistencies(query)).toEqual([])
    await service.stop()
  })
})

describe("a database that is killed", () => {
  const scope = Scope.makeUnsafe()
  let folder: string
  let databaseUrl: string
  let service: Service

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "journeys-killed-"))
    const { url } = await Effect.runPromise(Scope.provide(EmbeddedPostgres.start(folder), scope))
    databaseUrl = Redacted.value(url)
    service = await startService({ DATABASE_URL: databaseUrl, SANDBOX_STEP: "300 millis", SANDBOX_CALLER_STEP: "300 millis" })
  })
  afterAll(async () => {
    await service.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  it("is answered 503 in time until it runs again, keeps every acknowledged start, and journeys complete", async () => {
    const company = await makeCompany(service)
    const keys: Array<string> = []
    const acknowledged: Array<string> = []
    const refused: Array<string> = []
    let isOver = false
    const load = async () => {
      while (!isOver) {
        const key = `killed-${keys.length.toString().padStart(6, "0")}`
        keys.push(key)
        const heard = await startOf(service, company.testKey, key)
        if (heard === "dropped") continue
        expect([202, 503]).toContain(heard.status)
        ;(heard.status === 202 ? acknowledged : refused).push(key)
        if (heard.status === 503) await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const running = Array.from({ length: 4 }, load)
    await eventually(() => acknowledged.length, (count) => count > 20)
    const [pid] = (await readFile(join(folder, "postgres", "postmaster.pid"), "utf8")).split("\n")
    process.kill(Number(pid), "SIGKILL")
    await eventually(() => refused.length, (count) => count > 0)
    const sofar = acknowledged.length
    await eventually(() => acknowledged.length, (count) => count > sofar + 20, 40_000)
    isOver = true
    await Promise.all(running)

    const query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) =>
      queryDirectly<Row>(databaseUrl, text, values)
    const rows = await query<{ readonly key: string }>("select idempotency_key as key from journeys")
    const stored = new Set(rows.map(({ key }) => key))
    expect(acknowledged.filter((key) => !stored.has(key))).toEqual([])
    expect(refused.filter((key) => stored.has(key))).toEqual([])
    await eventually(
      () => query("select 1 from journeys where status = 'ACTIVE' limit 1"),
      (left) => left.length === 0,
      30_000
    )
    expect(await inconsistencies(query)).toEqual([])
  })
})

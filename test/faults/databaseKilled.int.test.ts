/**
 * PostgreSQL ends the service's sessions, or is killed itself (FAULT-5). No acknowledged start is lost, nothing that
 * was refused was written, and everything goes on by itself.
 */
import { Effect, Exit, Redacted, Scope } from "effect"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as EmbeddedPostgres from "../../src/runtime/embedded/EmbeddedPostgres.ts"
import { makeCompany } from "../support/companies.ts"
import { inconsistencies } from "../support/consistency.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { startService, type Service } from "../support/service.ts"
import { startOf, statusOf, unlimited } from "./hear.ts"

describe("a database that ends our sessions", () => {
  it("is connected to again: every start is answered 202 once, and the rows agree with the journal", async () => {
    const service = await startService({ ...unlimited, SANDBOX_STEP: "100 millis", SANDBOX_CALLER_STEP: "100 millis" })
    const company = await makeCompany(service)
    const query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) =>
      queryDirectly<Row>(service.databaseUrl, text, values)
    let ended = 0
    const over = new AbortController()
    const refused: Array<string> = []
    const unexpected: Array<number | "dropped"> = []
    const keys: Array<string> = []
    const load = async () => {
      while (!over.signal.aborted) {
        const key = `ended-${keys.length.toString().padStart(6, "0")}`
        keys.push(key)
        const heard = await startOf(service, company.testKey, key)
        const status = statusOf(heard)
        // The cut may have hit the look-up of the API key. Then nothing was written.
        if (status === 503) refused.push(key)
        else if (status !== 202) unexpected.push(status)
      }
    }
    const running = Array.from({ length: 8 }, load)
    for (let round = 0; round < 20; round++) {
      const rows = await query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
      )
      ended += rows.length
      const sofar = keys.length
      await eventually(
        () => keys.length,
        (count) => count > sofar + 20
      )
    }
    over.abort()
    await Promise.all(running)
    expect(ended).toBeGreaterThan(20)
    expect(unexpected).toEqual([])
    expect(
      await query("select 1 from journeys where idempotency_key = any($1::text[])", [`{${refused.join()}}`])
    ).toEqual([])
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
    service = await startService({
      ...unlimited,
      DATABASE_URL: databaseUrl,
      SANDBOX_STEP: "300 millis",
      SANDBOX_CALLER_STEP: "300 millis"
    })
  })
  afterAll(async () => {
    await service.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  const serverPid = async () => {
    const [line] = (await readFile(join(folder, "postgres", "postmaster.pid"), "utf8").catch(() => "0")).split("\n")
    return Number(line)
  }
  const query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) =>
    queryDirectly<Row>(databaseUrl, text, values)

  it("leads to 503 in time until it runs again, keeps every acknowledged start, and lets journeys complete", async () => {
    const company = await makeCompany(service)
    const keys: Array<string> = []
    const acknowledged: Array<string> = []
    const refused: Array<string> = []
    const unexpected: Array<string> = []
    const over = new AbortController()
    const load = async () => {
      while (!over.signal.aborted) {
        const key = `killed-${keys.length.toString().padStart(6, "0")}`
        keys.push(key)
        const heard = await startOf(service, company.testKey, key)
        if (heard === "dropped") continue
        ;(heard.status === 202 ? acknowledged : heard.status === 503 ? refused : unexpected).push(key)
        if (heard.status === 503) await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const running = Array.from({ length: 4 }, load)
    await eventually(
      () => acknowledged.length,
      (count) => count > 20
    )
    const killed = await serverPid()
    process.kill(killed, "SIGKILL")
    // Starts that were under way may survive all this without a refusal.
    await eventually(serverPid, (pid) => pid > 0 && pid !== killed, 40_000)
    const sofar = acknowledged.length
    await eventually(
      () => acknowledged.length,
      (count) => count > sofar + 20,
      40_000
    )
    over.abort()
    await Promise.all(running)

    const rows = await query<{ readonly key: string }>("select idempotency_key as key from journeys")
    const stored = new Set(rows.map(({ key }) => key))
    expect(unexpected).toEqual([])
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

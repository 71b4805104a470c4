/**
 * The processes of PostgreSQL are frozen (SIGSTOP) or killed. Every route that needs PostgreSQL answers in time, with
 * 503 where nothing else is wrong, and everything goes on by itself. `databaseGone` and `databaseKilled` show what
 * happens to starts.
 */
import { Effect, Exit, Redacted, Scope } from "effect"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { integratorRoutes } from "../../src/http/api/integrators.ts"
import { settingsRoutes } from "../../src/http/api/settings.ts"
import * as EmbeddedPostgres from "../../src/runtime/embedded/EmbeddedPostgres.ts"
import { makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { operatorToken, startService, type Service } from "../support/service.ts"
import { unlimited } from "./hear.ts"

/** The promise: every answer comes within this time. */
const answerMillis = 5000

/**
 * Answers that come before PostgreSQL is asked: a body or a header that this route does not take, or an unknown path.
 */
const refusals = new Set<number | string>([400, 404, 415, 422])

const isPromised = ({ route, status }: { readonly route: string; readonly status: number | string }): boolean =>
  status === 503 ||
  (!route.startsWith("GET") && (status === "dropped" || refusals.has(status))) ||
  // What is part of the program, and the one node that asks itself which nodes there are, need no database.
  ((route.endsWith("/scenarios") || route.endsWith("/settings/v1/runners")) && status === 200) ||
  (route.startsWith("GET") && status === 404)

const isLinux = process.platform === "linux"

describe.skipIf(!isLinux)("a PostgreSQL that is frozen or killed", () => {
  const scope = Scope.makeUnsafe()
  let folder: string
  let service: Service
  let company: TestCompany
  let journeyId: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "journeys-frozen-"))
    const { url } = await Effect.runPromise(Scope.provide(EmbeddedPostgres.start(folder), scope))
    service = await startService({ ...unlimited, DATABASE_URL: Redacted.value(url), LOG_LEVEL: "none" })
    company = await makeCompany(service)
    journeyId = (await start(service, company.testKey, startBody("IDENTITY_DELIVERY"))).data.id
  })
  afterAll(async () => {
    await service.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  const serverPid = async (): Promise<number> =>
    Number((await readFile(join(folder, "postgres", "postmaster.pid"), "utf8").catch(() => "0")).split("\n")[0])

  /** The server and every process that it started. */
  const serverPids = async (): Promise<ReadonlyArray<number>> => {
    const server = await serverPid()
    const processes = (await readdir("/proc")).map(Number).filter((pid) => pid > 0)
    const parents = await Promise.all(
      processes.map(async (pid) => {
        const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
        return { pid, parent: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) }
      })
    )
    return [server, ...parents.filter(({ parent }) => parent === server).map(({ pid }) => pid)]
  }

  const every = [...integratorRoutes, ...settingsRoutes]

  /** One request to each route, with any body, and what it was answered. */
  const askAll = () =>
    Promise.all(
      every.map(async ({ method, path }) => {
        const route = `${method} ${path}`
        const token = path.startsWith("/settings") ? operatorToken : company.testKey
        const at = path
          .replace(":journeyId", journeyId)
          .replace(/:(?:companyId|id)\b/, company.id)
          .replace(":mode", "test")
          .replace(":wallet", "IDENTITY")
          .replaceAll(/:\w+/g, "0197a000-0000-7000-8000-00000000000f")
        try {
          const response = await fetch(`${service.baseUrl}${at}`, {
            method,
            headers: {
              authorization: `Bearer ${token}`,
              "content-type": "application/json",
              "idempotency-key": `frozen-${Math.random()}`
            },
            ...(method === "GET" || method === "DELETE" ? {} : { body: "{}" }),
            signal: AbortSignal.timeout(answerMillis)
          })
          await response.arrayBuffer()
          return { route, status: response.status }
        } catch (error) {
          // Nobody can know about a write that was on its way, but an answer that is late breaks the promise.
          return { route, status: error instanceof TypeError ? "dropped" : "late" }
        }
      })
    )

  const ready = async () => (await fetch(`${service.baseUrl}/health/ready`)).status
  const becomesReady = () => eventually(ready, (status) => status === 200, 40_000)

  const startsAgain = () =>
    eventually(
      () => start(service, company.testKey, startBody("IDENTITY_DELIVERY")),
      ({ status }) => status === 202,
      40_000
    )

  it("lets every route answer in time while it is frozen, and serves again when it goes on", async () => {
    await becomesReady()
    const pids = await serverPids()
    expect(pids.length).toBeGreaterThan(5)
    for (const pid of pids) process.kill(pid, "SIGSTOP")
    try {
      for (let round = 0; round < 2; round++) expect((await askAll()).filter((one) => !isPromised(one))).toEqual([])
      expect(await ready()).toBe(503)
    } finally {
      for (const pid of pids) process.kill(pid, "SIGCONT")
    }
    await startsAgain()
    await becomesReady()
  })

  it("lets every route answer in time while it is dead, and serves again after a new start", async () => {
    const killed = await serverPid()
    process.kill(killed, "SIGKILL")
    expect((await askAll()).filter((one) => !isPromised(one))).toEqual([])
    await eventually(serverPid, (pid) => pid > 0 && pid !== killed, 40_000)
    await startsAgain()
    await becomesReady()
  })
})

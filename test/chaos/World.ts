/**
 * What the faults hit: a PostgreSQL, a Redis, some runners, a receiver of webhooks, and a company whose journeys go on
 * by themselves. Everything is on loopback and removed at the end.
 */
import { Effect, Exit, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as EmbeddedPostgres from "../../src/runtime/embedded/EmbeddedPostgres.ts"
import { queryDirectly } from "../support/directly.ts"
import { startReceiver, type Receiver } from "../support/receivers.ts"
import { startRedis, type RedisServer } from "../support/redisServer.ts"
import { NodeProcess } from "./NodeProcess.ts"

export interface World {
  readonly nodes: ReadonlyArray<NodeProcess>
  readonly redis: RedisServer
  readonly receiver: Receiver
  /** A test key of the company whose journeys advance by themselves. */
  readonly apiKey: string
  /** A test key of the company whose journeys wait, so that probes can ask whether their actors answer. */
  readonly probeKey: string
  readonly query: <Row extends object>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>
  /** kill -9 of PostgreSQL's first process. It is started again within seconds. */
  readonly killPostgres: () => Promise<void>
}

const stepEvery = "300 millis"

const settings = async (baseUrl: string, token: string, method: string, path: string, body: unknown) => {
  const response = await fetch(`${baseUrl}/settings/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { readonly data: Readonly<Record<string, string>> }).data
}

export const withWorld = async (count: number, use: (world: World) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "journeys-chaos-"))
  const scope = Scope.makeUnsafe()
  const redis = await startRedis()
  const receiver = await startReceiver()
  const operatorToken = randomBytes(24).toString("base64url")
  const nodes: Array<NodeProcess> = []
  try {
    const { url } = await Effect.runPromise(Scope.provide(EmbeddedPostgres.start(folder), scope))
    const databaseUrl = Redacted.value(url)
    const environment = {
      // The embedded PostgreSQL's own role.
      PROFILE: "development",
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      DATA_DIR: folder,
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      OPERATOR_TOKEN: operatorToken,
      RATE_LIMIT_PER_MINUTE: "100000000",
      WEBHOOK_ALLOW_INSECURE: "true",
      SANDBOX_STEP: stepEvery,
      SANDBOX_CALLER_STEP: stepEvery
    }
    for (let at = 1; at <= count; at++) nodes.push(await NodeProcess.make(`node ${at}`, environment))
    await Promise.all(nodes.map((node) => node.start()))
    const baseUrl = nodes[0]?.baseUrl ?? ""
    const asked = (method: string, path: string, body: unknown) => settings(baseUrl, operatorToken, method, path, body)
    const company = async (name: string, pace: string | null) => {
      const { id = "" } = await asked("POST", "/companies", { name, kind: "DEALER", adminEmail: "owner@example.com" })
      if (pace !== null) await asked("PATCH", `/companies/${id}`, { sandbox: { pace } })
      else await asked("PUT", `/companies/${id}/webhook-endpoints/test`, { url: receiver.url })
      const { key = "" } = await asked("POST", `/companies/${id}/api-keys`, { mode: "TEST" })
      return key
    }
    await use({
      nodes,
      redis,
      receiver,
      apiKey: await company("Chaos", null),
      probeKey: await company("Probes", "manual"),
      query: (text, values) => queryDirectly(databaseUrl, text, values),
      killPostgres: async () => {
        const [pid] = (await readFile(join(folder, "postgres", "postmaster.pid"), "utf8")).split("\n")
        process.kill(Number(pid), "SIGKILL")
      }
    })
  } finally {
    for (const node of nodes) node.signal("SIGCONT")
    await Promise.all(nodes.map((node) => node.end("SIGKILL")))
    await Promise.all([redis.stop(), receiver.stop()])
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

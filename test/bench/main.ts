/**
 * `npm run bench`: how fast this tree is on this machine, side by side in one run. The service runs as a process of its
 * own on a database of its own; starts, reads and decisions go over HTTP at 1, 32 and 128 connections, and beside them
 * a plain client writes the same rows one transaction at a time. Prints a table and judges nothing: machines differ,
 * and shared ones differ from minute to minute, so it is the ratio that counts.
 *
 * With BENCH_DATABASE_URL it uses that server (the role must be allowed to create databases), else an embedded one.
 * BENCH_SECONDS sets the length of one measurement.
 */
import { Effect, Exit, Redacted, Scope } from "effect"
import { PgClient } from "@effect/sql-pg"
import { SqlClient } from "effect/sql"
import { spawn, type ChildProcess } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import * as EmbeddedPostgres from "../../src/runtime/postgres/EmbeddedPostgres.ts"
import { startExamples } from "../../src/schema/start/examples.ts"
import { runPlainClient } from "./plainClient.ts"

const seconds = Number(process.env["BENCH_SECONDS"] ?? 5)
const connections = [1, 32, 128]
const operatorToken = randomBytes(24).toString("base64url")

interface Measured {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly failures?: number
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const ask = async (port: number, method: string, path: string, body: unknown): Promise<Record<string, string>> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { readonly data: Record<string, string> }).data
}

const listening = async (port: number, child: ChildProcess): Promise<void> => {
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error("the service did not listen within 10 s")
}

const load = async (plan: object): Promise<Measured & { readonly ids: ReadonlyArray<string> }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "load.ts")], { stdio: ["pipe", "pipe", "inherit"] })
  child.stdin.end(JSON.stringify(plan))
  return JSON.parse(await text(child.stdout)) as Measured & { readonly ids: ReadonlyArray<string> }
}

/** A body in which every start has a customer of its own. */
const body = (example: object): string =>
  JSON.stringify(example).replace(/"email":"[^"]*"/, '"email":"{{n}}@example.com"')

const row = (name: string, count: number, measured: Measured): void => {
  console.log(
    name.padEnd(40) +
      String(count).padStart(5) +
      measured.rate.toFixed(0).padStart(12) +
      measured.p50.toFixed(2).padStart(10) +
      measured.p99.toFixed(2).padStart(10) +
      (measured.failures === undefined || measured.failures === 0 ? "" : `   ${measured.failures} failed`)
  )
}

const withDatabase = async (use: (url: string) => Promise<void>): Promise<void> => {
  const given = process.env["BENCH_DATABASE_URL"]
  const folder = await mkdtemp(join(tmpdir(), "journeys-bench-"))
  const scope = Scope.makeUnsafe()
  try {
    const server =
      given ?? Redacted.value((await Effect.runPromise(Scope.provide(EmbeddedPostgres.start(folder), scope))).url)
    const name = `bench_${randomBytes(4).toString("hex")}`
    const admin = (text: string) =>
      Effect.runPromise(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text)).pipe(
          Effect.provide(PgClient.layer({ url: Redacted.make(server) }))
        )
      )
    await admin(`create database ${name} encoding 'UTF8' template template0`)
    const url = new URL(server)
    url.pathname = `/${name}`
    await use(url.href).finally(() => admin(`drop database ${name} with (force)`))
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true })
  }
}

await withDatabase(async (databaseUrl) => {
  const port = await freePort()
  const child = spawn("npm", ["start", "--silent"], {
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      OPERATOR_TOKEN: operatorToken,
      RATE_LIMIT_PER_MINUTE: "100000000",
      LOG_LEVEL: "error"
    }
  })
  try {
    await listening(port, child)
    const company = await ask(port, "POST", "/settings/v1/companies", {
      name: "Bench",
      kind: "DEALER",
      adminEmail: "bench@example.com"
    })
    // Test journeys that advance by themselves would be load of their own.
    await ask(port, "PATCH", `/settings/v1/companies/${company["id"]}`, { sandbox: { pace: "manual" } })
    const { key } = await ask(port, "POST", `/settings/v1/companies/${company["id"]}/api-keys`, { mode: "TEST" })
    const plan = { port, apiKey: key, duration: seconds * 1000, ids: [] as ReadonlyArray<string> }
    const identity = body(startExamples.IDENTITY_DELIVERY)
    const already = body(startExamples.FINANCE_ALREADY_SUBMITTED)

    console.log(
      `${"".padEnd(40)}${"conns".padStart(5)}${"per second".padStart(12)}${"p50 ms".padStart(10)}${"p99 ms".padStart(10)}`
    )
    await load({ ...plan, kind: "start", connections: 32, body: identity, run: "warm" })
    for (const count of connections) {
      row(
        "start, IDENTITY_DELIVERY",
        count,
        await load({ ...plan, kind: "start", connections: count, body: identity, run: `i${count}` })
      )
      row("  rows of a start, a transaction each", count, await runPlainClient(databaseUrl, count, seconds * 1000))
      row(
        "start, SUBMIT_VIA_MIRA",
        count,
        await load({
          ...plan,
          kind: "start",
          connections: count,
          body: body(startExamples.FINANCE_SUBMIT_VIA_MIRA),
          run: `m${count}`
        })
      )
      const undecided = await load({ ...plan, kind: "start", connections: 64, body: already, run: `d${count}` })
      row("read", count, await load({ ...plan, kind: "read", connections: count, ids: undecided.ids }))
      row(
        "finance-decision",
        count,
        await load({ ...plan, kind: "decide", connections: count, ids: undecided.ids.slice(0, 20_000) })
      )
    }
  } finally {
    // npm's child is in its group: both hear it.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM")
    await new Promise((resolve) => child.once("exit", resolve))
  }
})

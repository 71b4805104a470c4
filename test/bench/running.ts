/**
 * What every measurement needs: a new database, the service as a process of its own, and a company in it. Each
 * benchmark decides what it measures.
 */
import { Effect, Exit, Redacted, Scope } from "effect"
import { PgClient } from "@effect/sql-pg"
import { SqlClient } from "effect/sql"
import { spawn, type ChildProcess } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../support/freePort.ts"
import * as EmbeddedPostgres from "../../src/runtime/embedded/EmbeddedPostgres.ts"

const operatorToken = randomBytes(24).toString("base64url")

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
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error("the service did not listen within a minute")
}

export const withDatabase = async (use: (url: string) => Promise<void>): Promise<void> => {
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

export interface Running {
  readonly port: number
  readonly companyId: string
  /** A test key of the company, whose test journeys advance only when they are asked to. */
  readonly key: string
  readonly pid: number
  /** Milliseconds from the start of its process to its first answer. */
  readonly answersAfter: number
  /** The operator's token. */
  readonly operator: string
  /** A request to the settings API, as the operator. */
  readonly settings: (method: string, path: string, body: unknown) => Promise<Record<string, string>>
}

/** Runs `npm start` on the database while it is used. `folder` is another checkout than this one. */
export const withService = async (
  databaseUrl: string,
  environment: Readonly<Record<string, string>>,
  use: (running: Running) => Promise<void>,
  folder?: string
): Promise<void> => {
  const port = await freePort()
  const began = performance.now()
  const child = spawn("npm", ["start", "--silent"], {
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
    ...(folder === undefined ? {} : { cwd: folder }),
    env: {
      ...process.env,
      PORT: String(port),
      PROFILE: "development",
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      OPERATOR_TOKEN: operatorToken,
      RATE_LIMIT_PER_MINUTE: "100000000",
      LOG_LEVEL: "error",
      ...(process.env["BENCH_NODE_OPTIONS"] ? { NODE_OPTIONS: process.env["BENCH_NODE_OPTIONS"] } : {}),
      ...environment
    }
  })
  try {
    await listening(port, child)
    const answersAfter = performance.now() - began
    const settings: Running["settings"] = (method, path, body) => ask(port, method, `/settings/v1${path}`, body)
    const company = await settings("POST", "/companies", {
      name: "Bench",
      kind: "DEALER",
      adminEmail: "bench@example.com"
    })
    const companyId = company["id"] ?? ""
    // Test journeys that advance by themselves would be a load of their own.
    await settings("PATCH", `/companies/${companyId}`, { sandbox: { pace: "manual" } })
    const { key = "" } = await settings("POST", `/companies/${companyId}/api-keys`, { mode: "TEST" })
    await use({ port, companyId, key, pid: child.pid ?? 0, answersAfter, operator: operatorToken, settings })
  } finally {
    // A service that did not begin has ended by itself, and its own words are the error.
    if (child.pid !== undefined && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve))
      // The child of npm is in its group, so both get the signal.
      process.kill(-child.pid, "SIGTERM")
      await ended
    }
  }
}

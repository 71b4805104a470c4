/**
 * `npm run bench:mails`: the mail that a burst of live starts owes, and its effect on everybody else. The service runs
 * as a process of its own. Live journeys start at 32 connections, two mails each. Until the last mail has left, one
 * client reads a journey again and again, and another starts test journeys. This happens twice: an SMTP server takes the mail
 * and answers after a while, and everything is refused because that server is away. The built-in mailbox leaves nothing to be
 * done. The output has the times of reads and starts, how late the event loop was, and the memory. Compare
 * rows of one run only.
 *
 * BENCH_DATABASE_URL as for `npm run bench`. BENCH_STARTS sets the size of the burst, BENCH_SECONDS how long the
 * service is watched alone and with its mail server away.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { Pool } from "undici"
import { startExamples } from "../../src/schema/start/examples.ts"
import { freePort } from "../support/freePort.ts"
import { startMailServer } from "../support/mailServer.ts"
import { liveCompany } from "./liveCompany.ts"
import type { Probed } from "./loopProbe.ts"
import { withDatabase, withService, type Running } from "./running.ts"

const starts = Number(process.env["BENCH_STARTS"] ?? 2000)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 5)
const connections = 32
const readEveryMillis = 5
const startEveryMillis = 100
/** The time that a far mail server takes to accept a recipient. */
const serverTakesMillis = 20

const body = JSON.stringify(startExamples.CASH_SALE).replace(/"email":"[^"]*"/, '"email":"{{n}}@example.com"')

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

const row = (name: string, values: ReadonlyArray<number | string>): void =>
  console.log(
    name.padEnd(34) +
      values.map((value) => (typeof value === "number" ? value.toFixed(1) : value).padStart(10)).join("")
  )

const load = async (plan: object): Promise<{ readonly rate: number; readonly ids: ReadonlyArray<string> }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "load.ts")], { stdio: ["pipe", "pipe", "inherit"] })
  child.stdin.end(JSON.stringify(plan))
  return JSON.parse(await text(child.stdout)) as { readonly rate: number; readonly ids: ReadonlyArray<string> }
}

/** How long each act took. There are pauses between acts, because without them they would be a load of their own. */
const timesOf = async (act: () => Promise<unknown>, everyMillis: number, isOn: () => boolean) => {
  const times: Array<number> = []
  while (isOn()) {
    const began = performance.now()
    await act()
    const took = performance.now() - began
    times.push(took)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, everyMillis - took)))
  }
  return times
}

/** Waits while nothing happens. */
const pause = async (): Promise<number> => {
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  return 0
}

const measure = async (
  running: Running,
  sql: SqlClient.SqlClient,
  name: string,
  leaves: boolean,
  probe: () => Promise<Probed>
): Promise<void> => {
  const { key, port } = running
  const client = new Pool(`http://127.0.0.1:${port}`, { connections: 2, pipelining: 1 })
  let sent = 0
  const startOne = async (): Promise<string> => {
    const name = `others-${(sent += 1)}`
    const answer = await client.request({
      method: "POST",
      path: "/api/v1/journeys",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": name },
      body: body.replace("{{n}}", name)
    })
    if (answer.statusCode !== 202) throw new Error(`a start was answered ${answer.statusCode}`)
    return ((await answer.body.json()) as { readonly data: { readonly id: string } }).data.id
  }
  const id = await startOne()
  const readOne = async () => {
    const answer = await client.request({
      method: "GET",
      path: `/api/v1/journeys/${id}`,
      headers: { authorization: `Bearer ${key}` }
    })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`a read was answered ${answer.statusCode}`)
  }
  /** What others experience for as long as `what` takes. */
  const others = async (what: string, during: Promise<number>) => {
    await probe()
    let isOn = true
    const all = Promise.all([
      timesOf(readOne, readEveryMillis, () => isOn),
      timesOf(startOne, startEveryMillis, () => isOn)
    ])
    const perSecond = await during
    isOn = false
    const [reads, started] = await all
    const { memory, mostMemory, p99 } = await probe()
    row(`${name}: ${what}`, [
      perSecond === 0 ? "" : perSecond.toFixed(0),
      percentile(reads, 0.5),
      percentile(reads, 0.99),
      percentile(started, 0.5),
      percentile(started, 0.99),
      p99,
      memory.toFixed(0),
      mostMemory.toFixed(0)
    ])
  }
  const live = await liveCompany(running)
  const plan = { ports: [port], apiKeys: [live.key], kind: "start", connections, body, ids: [], duration: 60_000 }
  await load({ ...plan, apiKeys: [key], most: starts, run: "warm" })
  const allLeft = async () => {
    const left = await Effect.runPromise(
      sql.unsafe(
        "select from mails where company_id = $1 and due_at is not null and kind <> 'ACCESS_CHANGED' limit 1",
        [live.id]
      )
    )
    return left.length === 0
  }
  const quiet = async () => {
    while ((await Effect.runPromise(sql.unsafe("select from mails where due_at < now() limit 1"))).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  if (leaves) await quiet()
  await others("alone", pause())

  const began = performance.now()
  const burst = async () => {
    const { ids, rate } = await load({ ...plan, most: starts, run: "burst" })
    if (ids.length !== starts) throw new Error(`${ids.length} of ${starts} live journeys started`)
    return rate
  }
  await others("live starts", burst())
  const leaving = async () => {
    const from = performance.now()
    const [before] = await Effect.runPromise(
      sql.unsafe<{ readonly left: number }>(
        "select count(*)::int4 as left from mails where company_id = $1 and due_at is not null and kind <> 'ACCESS_CHANGED'",
        [live.id]
      )
    )
    while (!(await allLeft())) await new Promise((resolve) => setTimeout(resolve, 50))
    return (before?.left ?? 0) / ((performance.now() - from) / 1000)
  }
  await others(leaves ? "their mails leave" : "their mails wait", leaves ? leaving() : pause())
  if (leaves) row(`${name}: first start to last mail`, [`${((performance.now() - began) / 1000).toFixed(1)} s`])
  await client.close()
}

const server = await startMailServer({
  onRcptTo: (_address, _session, done) => void setTimeout(() => done(null), serverTakesMillis)
})
const smtp = (port: number) => ({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Bench <bench@example.com>" })
const ways = [
  ["SMTP", smtp(server.port), true],
  ["away", smtp(await freePort()), false]
] as const

row("", ["/s", "read p50", "read p99", "start p50", "start p99", "late p99", "MB", "most MB"])
for (const [name, environment, leaves] of ways) {
  const probePort = await freePort()
  const probing = {
    NODE_OPTIONS: `--import=${new URL("loopProbe.ts", import.meta.url).href}`,
    BENCH_PROBE_PORT: String(probePort)
  }
  const probe = async () => (await (await fetch(`http://127.0.0.1:${probePort}`)).json()) as Probed
  await withDatabase((databaseUrl) =>
    withService(databaseUrl, { ...environment, ...probing }, (running) =>
      Effect.runPromise(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.promise(() => measure(running, sql, name, leaves, probe))
        ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(databaseUrl) })))
      )
    )
  )
}
await server.stop()

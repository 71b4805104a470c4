/**
 * `npm run bench`: how fast this tree is on this machine, compared in one run. The service runs as a process of its own
 * with a new database. Starts, reads and decisions go over HTTP at 1, 32 and 128 connections, and a plain client writes
 * the same rows one transaction at a time. Prints a table and judges nothing: machines differ, and shared machines
 * change from minute to minute, so the ratio is what counts.
 *
 * With BENCH_DATABASE_URL it uses that server (the role must be allowed to create databases), otherwise an embedded
 * one. BENCH_SECONDS sets the length of one measurement.
 */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { startExamples } from "../../src/schema/start/examples.ts"
import { runPlainClient } from "./plainClient.ts"
import { withDatabase, withService } from "./running.ts"

const seconds = Number(process.env["BENCH_SECONDS"] ?? 5)
const connections = [1, 32, 128]

interface Measured {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly failures?: number
}

const load = async (plan: object): Promise<Measured & { readonly ids: ReadonlyArray<string> }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "load.ts")], { stdio: ["pipe", "pipe", "inherit"] })
  child.stdin.end(JSON.stringify(plan))
  return JSON.parse(await text(child.stdout)) as Measured & { readonly ids: ReadonlyArray<string> }
}

/** A body in which every start has a new customer. */
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

await withDatabase((databaseUrl) =>
  withService(databaseUrl, {}, async ({ key, port }) => {
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
  })
)

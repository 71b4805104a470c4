/**
 * `npm run bench:cpu`: the CPU time that one start, read, decision and delivery costs, in microseconds: that of the
 * service's processes and that of PostgreSQL. CPU time counts where the machine is shared: other work on the machine
 * changes it less than it changes the rate.
 *
 * `npm run bench:cpu -- FOLDER` measures another checkout (with its packages installed) beside this one: both in turns,
 * `BENCH_ROUNDS` times each (3), `BENCH_SECONDS` a measurement (4). The last column is the median of this checkout over
 * that of the other. Needs Linux, because it reads /proc.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { startExamples } from "../../src/schema/start/examples.ts"
import { cpuMeter, type Cpu } from "./cpuMeter.ts"
import { bodyOf, load } from "./loading.ts"
import { withDatabase, withService, type Running } from "./running.ts"
import { queue, startReceiver, untilDelivered } from "./standingQueue.ts"

const seconds = Number(process.env["BENCH_SECONDS"] ?? 4)
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3)
const events = Number(process.env["BENCH_EVENTS"] ?? 20_000)
const connections = 32
const other = process.argv[2]

type Measured = Readonly<Record<string, Cpu>>

const measure = async (
  databaseUrl: string,
  { companyId, key, pid, port, settings }: Running,
  sql: SqlClient.SqlClient
): Promise<Measured> => {
  const meter = await cpuMeter(databaseUrl, pid)
  const measured: Record<string, Cpu> = {}
  const over = async (name: string, work: () => Promise<number>): Promise<void> => {
    await meter.untilQuiet()
    const before = meter.now()
    const count = await work()
    const after = meter.now()
    measured[name] = {
      service: (after.service - before.service) / count,
      postgres: (after.postgres - before.postgres) / count
    }
  }
  const plan = { port, apiKey: key, connections, duration: seconds * 1000 }
  const counted = async (more: object): Promise<number> => {
    const { count, failures } = await load({ ...plan, ...more })
    if (failures > 0) throw new Error(`${failures} requests failed`)
    return count
  }
  const identity = bodyOf(startExamples.IDENTITY_DELIVERY)
  await load({ ...plan, kind: "start", body: identity, run: "warm" })
  await over("start, answered", () => counted({ kind: "start", body: identity, run: "a" }))
  await over("start, with what it leaves behind", async () => {
    const count = await counted({ kind: "start", body: identity, run: "b" })
    await meter.untilQuiet()
    return count
  })
  const { ids } = await load({
    ...plan,
    kind: "start",
    body: bodyOf(startExamples.FINANCE_ALREADY_SUBMITTED),
    run: "c"
  })
  await over("read", () => counted({ kind: "read", ids }))
  await over("finance-decision", () => counted({ kind: "decide", ids }))

  const receiver = await startReceiver()
  const save = () => settings("PUT", `/companies/${companyId}/webhook-endpoints/test`, { url: receiver.url })
  receiver.know((await save())["secret"] ?? "")
  // The queue is written within the measurement: what is due is delivered at once.
  await over("delivery of an event", async () => {
    await Effect.runPromise(queue(sql, events))
    await save()
    await untilDelivered(sql, async () => (await receiver.tell("stats")).distinct === events)
    return events
  })
  receiver.stop()
  return measured
}

const once = async (folder: string | undefined): Promise<Measured> => {
  let measured: Measured = {}
  await withDatabase((databaseUrl) =>
    withService(
      databaseUrl,
      { WEBHOOK_ALLOW_INSECURE: "true" },
      (running) =>
        Effect.runPromise(
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            Effect.promise(async () => {
              measured = await measure(databaseUrl, running, sql)
            })
          ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(databaseUrl) })))
        ),
      folder
    )
  )
  return measured
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const here: Array<Measured> = []
const there: Array<Measured> = []
for (let round = 0; round < rounds; round++) {
  here.push(await once(undefined))
  if (other !== undefined) there.push(await once(other))
}

const numbers = (all: ReadonlyArray<Measured>, name: string) => {
  const service = median(all.map((one) => one[name]?.service ?? Number.NaN))
  const postgres = median(all.map((one) => one[name]?.postgres ?? Number.NaN))
  return { service, postgres, sum: service + postgres }
}
const cells = ({ postgres, service, sum }: ReturnType<typeof numbers>) =>
  [service, postgres, sum].map((value) => value.toFixed(0).padStart(12)).join("")

console.log(`microseconds of CPU, ${connections} connections, median of ${rounds}`)
const heads = ["service", "PostgreSQL", "sum"].map((name) => name.padStart(12)).join("")
console.log("".padEnd(36) + heads + (other === undefined ? "" : `${heads}       ratio`))
if (other !== undefined) console.log(`${"".padEnd(36)}${"this checkout".padStart(36)}${"the other".padStart(36)}`)
for (const name of Object.keys(here[0] ?? {})) {
  const mine = numbers(here, name)
  const theirs = numbers(there, name)
  console.log(
    name.padEnd(36) +
      cells(mine) +
      (other === undefined ? "" : cells(theirs) + (mine.sum / theirs.sum).toFixed(2).padStart(12))
  )
}

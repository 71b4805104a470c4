/**
 * `npm run bench:cpu`: the CPU time that one start, read, decision and delivery costs, in microseconds: that of the
 * service's processes and that of PostgreSQL. CPU time counts where the machine is shared: other work on the machine
 * changes it less than it changes the rate.
 *
 * `npm run bench:cpu -- FOLDER` measures another checkout (with its packages installed) beside this one. Both services run at once,
 * each on a PostgreSQL of its own, and each measurement is made of one and then of the other: a machine that others slow down for a
 * minute slows down both. `BENCH_ROUNDS` rounds (5), `BENCH_SECONDS` a measurement (2). `BENCH_WARM_ROUNDS` rounds (4) come first and
 * are not counted: a service runs for days, and costs twice as much while its code is not compiled yet. Every column is a median of
 * its own, the sum and the ratio too. Needs Linux, because it reads /proc.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { startExamples } from "../../src/schema/start/examples.ts"
import { cpuMeter, cpuOfEach, sumOf, type Cpu } from "./cpuMeter.ts"
import { bodyOf, load, type Loaded } from "./loading.ts"
import { withDatabase, withService, type Running } from "./running.ts"
import { queue, startReceiver, untilDelivered } from "./standingQueue.ts"

const seconds = Number(process.env["BENCH_SECONDS"] ?? 2)
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5)
const warmRounds = Number(process.env["BENCH_WARM_ROUNDS"] ?? 4)
const events = Number(process.env["BENCH_EVENTS"] ?? 10_000)
const connections = 32
const other = process.argv[2]

/** What is measured, in this order. Deliveries come last: from then on every start has one. */
const names = [
  "start, answered",
  "start, with what it leaves behind",
  "read",
  "finance-decision",
  "delivery of an event"
] as const

type Measure = (name: (typeof names)[number], round: number) => Promise<Cpu>

/** One service, and how it is measured. */
const withMeasured = (folder: string | undefined, use: (measure: Measure) => Promise<void>): Promise<void> =>
  withDatabase((databaseUrl) =>
    withService(
      databaseUrl,
      { WEBHOOK_ALLOW_INSECURE: "true" },
      (running) =>
        Effect.runPromise(
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            Effect.promise(async () => {
              const receiver = await startReceiver()
              await use(await measureOf(databaseUrl, running, sql, receiver)).finally(receiver.stop)
            })
          ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(databaseUrl) })))
        ),
      folder
    )
  )

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const measureOf = async (
  databaseUrl: string,
  { companyId, key, pid, port, settings }: Running,
  sql: SqlClient.SqlClient,
  receiver: Receiver
): Promise<Measure> => {
  const meter = await cpuMeter(databaseUrl, pid)
  const plan = { ports: [port], apiKeys: [key], connections, duration: seconds * 1000 }
  const identity = { kind: "start", body: bodyOf(startExamples.IDENTITY_DELIVERY) }
  const finance = { kind: "start", body: bodyOf(startExamples.FINANCE_ALREADY_SUBMITTED) }
  const loaded = async (more: object): Promise<Loaded> => {
    const done = await load({ ...plan, ...more })
    if (done.failures > 0) throw new Error(`${done.failures} requests failed`)
    return done
  }
  const over = async (work: () => Promise<number>): Promise<Cpu> => {
    await meter.untilQuiet()
    const before = meter.now()
    const count = await work()
    const after = meter.now()
    return cpuOfEach(before, after, count)
  }
  await loaded({ ...identity, run: "warm" })

  return async (name, round) => {
    const run = `${names.indexOf(name)}-${round}`
    switch (name) {
      case "start, answered":
        return over(async () => (await loaded({ ...identity, run })).count)
      case "start, with what it leaves behind":
        return over(async () => {
          const { count } = await loaded({ ...identity, run })
          await meter.untilQuiet()
          return count
        })
      case "read": {
        const { ids } = await loaded({ ...finance, run })
        return over(async () => (await loaded({ kind: "read", ids })).count)
      }
      case "finance-decision": {
        // A decision may cost less than a start, and each journey takes one.
        const { ids } = await loaded({ ...finance, run, duration: plan.duration * 2 })
        return over(async () => (await loaded({ kind: "decide", ids })).count)
      }
      case "delivery of an event": {
        const endpoint = `/companies/${companyId}/webhook-endpoints/test`
        const { secret } = await settings("PUT", endpoint, { url: receiver.url })
        // Only the answer that makes the endpoint tells its secret.
        if (secret !== undefined) receiver.know(secret)
        await receiver.tell("reset")
        // The queue is written within the measurement: what is due is delivered at once.
        return over(async () => {
          await Effect.runPromise(queue(sql, events, round))
          await settings("PUT", endpoint, { url: receiver.url })
          await untilDelivered(sql, async () => (await receiver.tell("stats")).distinct >= events)
          return events
        })
      }
    }
  }
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

type Rounds = Record<(typeof names)[number], Array<Cpu>>
const noRounds = (): Rounds => Object.fromEntries(names.map((name) => [name, []])) as unknown as Rounds

const here = noRounds()
const there = noRounds()

const rowOf = (all: ReadonlyArray<Cpu>): string =>
  [median(all.map(({ service }) => service)), median(all.map(({ postgres }) => postgres)), median(all.map(sumOf))]
    .map((value) => value.toFixed(0).padStart(12))
    .join("")

/** Whoever is measured first changes from round to round. */
const turns = async (mine: Measure, theirs: Measure | null): Promise<void> => {
  for (const name of names) {
    for (let round = 0; round < warmRounds + rounds; round++) {
      const inTurn: Array<readonly [Rounds, Measure]> = [[here, mine]]
      if (theirs !== null) inTurn[round % 2 === 0 ? "push" : "unshift"]([there, theirs])
      for (const [kept, measure] of inTurn) {
        const cost = await measure(name, round)
        if (round >= warmRounds) kept[name].push(cost)
      }
    }
  }
}

await withMeasured(undefined, (mine) =>
  other === undefined ? turns(mine, null) : withMeasured(other, (theirs) => turns(mine, theirs))
)

console.log(`microseconds of CPU, ${connections} connections, median of ${rounds}`)
const heads = ["service", "PostgreSQL", "sum"].map((name) => name.padStart(12)).join("")
console.log("".padEnd(36) + heads + (other === undefined ? "" : `${heads}       ratio`))
if (other !== undefined) console.log(`${"".padEnd(36)}${"this checkout".padStart(36)}${"the other".padStart(36)}`)
for (const name of names) {
  const ratios = here[name].map(
    (one, round) => sumOf(one) / sumOf(there[name][round] ?? { service: Number.NaN, postgres: 0 })
  )
  console.log(
    name.padEnd(36) +
      rowOf(here[name]) +
      (other === undefined ? "" : rowOf(there[name]) + median(ratios).toFixed(2).padStart(12))
  )
}

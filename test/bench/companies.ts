/**
 * What many companies cost beside one: the third part of `npm run bench`. One service has them all. A row of one company and a row
 * of all companies in turns follow each other, for starts, reads, decisions and the deliveries of a standing queue: to one
 * endpoint, and to an endpoint of each company.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { cpuMeter, cpuOfEach, type CpuMeter } from "./cpuMeter.ts"
import { inTurns, measuredOnNew, operations, startUndecided, type Side } from "./measured.ts"
import { withDatabase, withService, type Running } from "./running.ts"
import { queue, startReceiver, untilDelivered } from "./standingQueue.ts"
import { head, line, workLine } from "./table.ts"

const connections = 32
const undecided = 3000
const events = 9000
/** Companies that are made at once. */
const madeAtOnce = 16

interface Company {
  readonly id: string
  readonly key: string
}

const makeCompany = async ({ settings }: Running, number: number): Promise<Company> => {
  const { id = "" } = await settings("POST", "/companies", {
    name: `Company ${number}`,
    kind: "DEALER",
    adminEmail: `company-${number}@example.com`
  })
  // Test journeys that advance by themselves would be a load of their own.
  await settings("PATCH", `/companies/${id}`, { sandbox: { pace: "manual" } })
  const { key = "" } = await settings("POST", `/companies/${id}/api-keys`, { mode: "TEST" })
  return { id, key }
}

/** So many at once. */
const forEachAtOnce = <A, B>(all: ReadonlyArray<A>, work: (one: A) => Promise<B>): Promise<ReadonlyArray<B>> =>
  Effect.runPromise(Effect.forEach(all, (one) => Effect.promise(() => work(one)), { concurrency: madeAtOnce }))

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** How fast a queue is worked off that is due at once, and what a delivery costs. */
const delivered = async (
  { meter }: Side,
  sql: SqlClient.SqlClient,
  receiver: Receiver,
  companies: ReadonlyArray<string>,
  round: number
) => {
  await meter.untilQuiet()
  await receiver.tell("reset")
  const [began, before] = [performance.now(), meter.now()]
  await Effect.runPromise(queue(sql, events, round, companies))
  await untilDelivered(sql, async () => (await receiver.tell("stats")).distinct >= events)
  const [seconds, after] = [(performance.now() - began) / 1000, meter.now()]
  return { rate: events / seconds, cpu: cpuOfEach(before, after, events) }
}

/** One company, or all of them in turns. */
interface Compared {
  readonly companies: ReadonlyArray<string>
  readonly side: Side
  readonly title: (what: string) => string
}

const comparedOf = (companies: ReadonlyArray<Company>, port: number, meter: CpuMeter): Compared => ({
  companies: companies.map(({ id }) => id),
  side: { ports: [port], keys: companies.map(({ key }) => key), meter },
  title: (what) =>
    `${what}, ${companies.length === 1 ? "one company" : `${companies.length.toLocaleString("en")} companies`}`
})

const compareDeliveries = async (
  { settings }: Running,
  sql: SqlClient.SqlClient,
  both: ReadonlyArray<Compared>,
  rounds: number
): Promise<void> => {
  const receiver = await startReceiver()
  const companies = both.flatMap((one) => one.companies)
  await forEachAtOnce([...new Set(companies)], (id) =>
    settings("PUT", `/companies/${id}/webhook-endpoints/test`, { url: receiver.url })
  )
  let queues = 0
  const deliver = ({ companies, side }: Compared) => delivered(side, sql, receiver, companies, queues++)
  // What is not compiled yet costs more than it will.
  for (const one of both) await deliver(one)
  const results = await inTurns(both, rounds, deliver)
  for (const [at, { cpu, rate }] of results.entries()) {
    console.log(workLine(both[at]?.title("delivery") ?? "", rate, cpu))
  }
  receiver.stop()
}

const compare = async (running: Running, databaseUrl: string, count: number, millis: number, rounds: number) => {
  const numbers = Array.from({ length: count }, (_, number) => number)
  const all = await forEachAtOnce(numbers, (number) => makeCompany(running, number))
  const meter = await cpuMeter(databaseUrl, running.pid)
  const both = [all.slice(0, 1), all].map((companies) => comparedOf(companies, running.port, meter))
  for (const { side } of both) await startUndecided(side, undecided)
  console.log(head(`the service with ${count.toLocaleString("en")} companies`))
  for (const operation of operations) {
    const plan = { connections, millis, undecided }
    const results = await inTurns(both, rounds, ({ side }) => measuredOnNew(side, operation, plan))
    for (const [at, result] of results.entries()) {
      console.log(line(both[at]?.title(operation) ?? "", connections, result))
    }
  }
  const deliveries = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.promise(() => compareDeliveries(running, sql, both, rounds))
  )
  await Effect.runPromise(Effect.provide(deliveries, PgClient.layer({ url: Redacted.make(databaseUrl) })))
}

export const measureCompanies = (count: number, millis: number, rounds: number): Promise<void> =>
  withDatabase((databaseUrl) =>
    withService(databaseUrl, { WEBHOOK_ALLOW_INSECURE: "true" }, (running) =>
      compare(running, databaseUrl, count, millis, rounds)
    )
  )

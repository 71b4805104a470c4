/**
 * What many companies cost beside one: the third part of `npm run bench`. One service has them all. A row of one company and a row
 * of all companies in turns follow each other, for starts, reads, decisions and the deliveries of a standing queue: to one
 * endpoint, and to an endpoint of each company.
 */
import { Effect } from "effect"
import { cpuMeter, type CpuMeter } from "./cpuMeter.ts"
import { withReceiver } from "./deliveries.ts"
import { inTurns, measuredOnNew, operations, startUndecided, type Side } from "./measured.ts"
import { withDatabase, withService, type Running } from "./running.ts"
import { head, line, workLine } from "./table.ts"

const connections = 32
const undecided = 3000
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

const compareDeliveries = (
  running: Running,
  databaseUrl: string,
  both: ReadonlyArray<Compared>,
  rounds: number
): Promise<void> => {
  const senders = both.map(({ companies, side }) => ({ running, databaseUrl, meter: side.meter, companies }))
  return withReceiver(senders, async (deliver) => {
    // What is not compiled yet costs more than it will.
    for (const one of senders) await deliver(one)
    const results = await inTurns(senders, rounds, deliver)
    for (const [at, { cpu, rate }] of results.entries()) {
      console.log(workLine(both[at]?.title("delivery") ?? "", rate, cpu))
    }
  })
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
  await compareDeliveries(running, databaseUrl, both, rounds)
}

export const measureCompanies = (count: number, millis: number, rounds: number): Promise<void> =>
  withDatabase((databaseUrl) =>
    withService(databaseUrl, { WEBHOOK_ALLOW_INSECURE: "true" }, (running) =>
      compare(running, databaseUrl, count, millis, rounds)
    )
  )

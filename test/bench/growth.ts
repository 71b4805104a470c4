/**
 * What the service costs with many journeys beside what it costs with none: the second part of `npm run bench`. Two services run at once, each
 * on a database of its own in the same PostgreSQL. The journeys of one company of the second are written by SQL, size after size. At each size starts, reads
 * of journeys that are not in memory, decisions and deliveries are measured of the small service and of the grown one in turns: a machine that
 * others slow down for a minute slows down both. At the end alarms are overdue (`overdue.ts`).
 */
import { queryDirectly } from "../support/directly.ts"
import { cpuMeter, sumOf, type Cpu, type CpuMeter } from "./cpuMeter.ts"
import { withReceiver, type Deliver, type Sender } from "./deliveries.ts"
import { fillCompany } from "./manyJourneys.ts"
import { allInTurns, measured, startUndecided, type Operation, type Side } from "./measured.ts"
import { measureOverdue } from "./overdue.ts"
import { withDatabase, withService, type Running } from "./running.ts"
import { startEachShape } from "./startEachShape.ts"
import { head, line, middle, workLine } from "./table.ts"

/** The key of the service, with which the sealed records are written. */
const encryptionKey = Buffer.alloc(32, 7)
const connections = 32
const undecided = 3000
const warmRounds = 2

const randomJourneys = async (databaseUrl: string): Promise<ReadonlyArray<string>> => {
  const rows = await queryDirectly<{ readonly id: string }>(
    databaseUrl,
    "select id from journeys where not livemode order by md5(id::text) limit 50000"
  )
  return rows.map(({ id }) => id)
}

/**
 * Waits until PostgreSQL has written what filled the database: for minutes after a million journeys it was busy with its checkpoint and
 * its autovacuum, and a start seemed to cost twice as much. The role must be allowed to make a checkpoint (`pg_checkpoint`).
 */
const written = async (databaseUrl: string, meter: CpuMeter): Promise<void> => {
  await queryDirectly(databaseUrl, "checkpoint")
  await meter.untilQuiet("postgres")
}

/** A service on a database of its own. */
interface Compared extends Sender {
  readonly side: Side
  /** Its journeys. */
  size: number
}

const operations: ReadonlyArray<readonly [Operation, string]> = [
  ["read", "read"],
  ["decide", "finance-decision"],
  ["start", "start"]
]

/** Journeys that are not in memory, or that wait for a decision. */
const journeysFor = (operation: Operation, { databaseUrl, side }: Compared): Promise<ReadonlyArray<string>> => {
  if (operation === "start") return Promise.resolve([])
  return operation === "read" ? randomJourneys(databaseUrl) : startUndecided(side, undecided)
}

const title = (name: string, { size }: Compared): string => `${name}, ${size.toLocaleString("en")} journeys`

interface Rated {
  readonly rate: number
  readonly cpu: Cpu
}

/** What one round of the grown service is of the same round of the small one: the median of all rounds, of the rate and of the CPU time. */
const ratioOf = ([small = [], grown = []]: ReadonlyArray<ReadonlyArray<Rated>>): string => {
  const medianOf = (of: (one: Rated) => number): string => {
    const ratios = grown.flatMap((one, round) => {
      const beside = small[round]
      return beside === undefined ? [] : [{ rate: of(one) / of(beside) }]
    })
    return middle(ratios)?.rate.toFixed(2) ?? ""
  }
  const [rate, cost] = [medianOf((one) => one.rate), medianOf(({ cpu }) => sumOf(cpu))]
  return `  ${rate} of the small one's rate, ${cost} of its CPU time`
}

interface Plan {
  readonly millis: number
  readonly rounds: number
}

/** Measures every operation of both, in turns, and shows each. */
const measureBoth = async (
  both: ReadonlyArray<Compared>,
  deliver: Deliver,
  { millis, rounds }: Plan,
  print: (text: string) => void
): Promise<void> => {
  for (const [operation, name] of operations) {
    const results = await allInTurns(both, rounds, async (one) =>
      measured(one.side, operation, { connections, ids: await journeysFor(operation, one), millis })
    )
    for (const [at, one] of both.entries()) {
      const result = middle(results[at] ?? [])
      if (result !== undefined) print(line(title(name, one), connections, result))
    }
    print(ratioOf(results))
  }
  const results = await allInTurns(both, rounds, deliver)
  for (const [at, one] of both.entries()) {
    const result = middle(results[at] ?? [])
    if (result !== undefined) print(workLine(title("delivery", one), result.rate, result.cpu))
  }
  print(ratioOf(results))
}

const environment = { ENCRYPTION_KEY: encryptionKey.toString("base64"), WEBHOOK_ALLOW_INSECURE: "true" }

const comparedOf = async (databaseUrl: string, running: Running): Promise<Compared> => {
  await startEachShape(running, "growth")
  const meter = await cpuMeter(databaseUrl, running.pid)
  const side = { ports: [running.port], keys: [running.key], meter }
  return { running, databaseUrl, meter, companies: [running.companyId], side, size: 0 }
}

const withCompared = (use: (one: Compared) => Promise<void>): Promise<void> =>
  withDatabase((databaseUrl) =>
    withService(databaseUrl, environment, async (running) => use(await comparedOf(databaseUrl, running)))
  )

const growTo = async (size: number, grown: Compared): Promise<void> => {
  const { databaseUrl, meter, running } = grown
  await fillCompany(databaseUrl, running.companyId, encryptionKey, size - grown.size, grown.size)
  await written(databaseUrl, meter)
  grown.size = size
}

/** `sizes` in the order in which the database grows. At the end so many alarms are overdue. */
export const measureGrowth = (sizes: ReadonlyArray<number>, plan: Plan, alarms: number): Promise<void> =>
  withDatabase(async (grownUrl) => {
    await withCompared((small) =>
      withService(grownUrl, environment, async (running) => {
        const both = [small, await comparedOf(grownUrl, running)]
        await withReceiver(both, async (deliver) => {
          // What is not compiled yet costs more than it will.
          await measureBoth(both, deliver, { ...plan, rounds: warmRounds }, () => {})
          console.log(head("the service as its database grows"))
          for (const size of sizes) {
            await growTo(size, both[1] ?? small)
            await measureBoth(both, deliver, plan, console.log)
          }
        })
      })
    )
    await measureOverdue(grownUrl, environment, alarms)
  })

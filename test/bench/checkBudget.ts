/**
 * `npm run bench:budget`: fails if an operation of the service costs more than `budget.ts` allows it. CPU time is counted, so what
 * else the machine does matters little, and all is measured once more before an operation that is too dear has failed. Needs
 * Linux, because it reads /proc. BENCH_DATABASE_URL as for `npm run bench`.
 */
import { budget } from "./budget.ts"
import { cpuMeter, type Cpu } from "./cpuMeter.ts"
import { measured, startUndecided, type Operation, type Side } from "./measured.ts"
import { withDatabase, withService } from "./running.ts"
import { withPlainServer } from "./runningPlain.ts"

const connections = 32
const millis = 2500
/** So many that a decision's measurement lasts for two seconds, and few enough that their mail is dealt with soon. */
const most = 2000

type Budgeted = keyof typeof budget

/** Microseconds of CPU a request, of the server and of PostgreSQL. */
type Costs = Readonly<Record<Budgeted, number>>

const sum = ({ postgres, service }: Cpu): number => postgres + service

const costsOf = async (side: Side): Promise<Costs> => {
  // These also warm the server up: what is not compiled yet costs more than it will.
  const ids = await startUndecided(side, most)
  const cost = async (operation: Operation) => {
    const { cpu, failures, later } = await measured(side, operation, { connections, ids, millis, most })
    if (failures > 0) throw new Error(`${operation}: ${failures} requests failed`)
    return { now: sum(cpu), later: sum(later) }
  }
  const read = await cost("read")
  const decide = await cost("decide")
  const start = await cost("start")
  return { start: start.now, mail: start.later, read: read.now, decide: decide.now }
}

/** One measurement of everything. Says what each operation costs, and answers with those that are too dear. */
const tooDear = async (service: Side, plain: Side): Promise<ReadonlyArray<Budgeted>> => {
  const plainCosts = await costsOf(plain)
  const costs = await costsOf(service)
  return (Object.keys(budget) as ReadonlyArray<Budgeted>).filter((name) => {
    const beside = name === "mail" ? "start" : name
    const ratio = costs[name] / plainCosts[beside]
    const isDear = ratio > budget[name]
    console.log(
      `${name.padEnd(8)}${costs[name].toFixed(0).padStart(6)} µs of CPU, ${ratio.toFixed(2)} times a ${beside} of the plain server ` +
        `(${plainCosts[beside].toFixed(0)} µs); the budget is ${budget[name]} times${isDear ? ": too dear" : ""}`
    )
    return isDear
  })
}

await withDatabase((databaseUrl) =>
  withService(databaseUrl, {}, async ({ key, pid, port }) => {
    const service = { port, key, meter: await cpuMeter(databaseUrl, pid) }
    await withPlainServer(databaseUrl, async (plain) => {
      const once = await tooDear(service, plain)
      const again = once.length === 0 ? [] : await tooDear(service, plain)
      const twice = once.filter((name) => again.includes(name))
      if (twice.length === 0) return
      console.error(`dearer than test/bench/budget.ts allows, twice: ${twice.join(", ")}`)
      process.exitCode = 1
    })
  })
)

/**
 * `npm run bench:budget`: fails if an operation of the service costs more than `budget.ts` allows it. CPU time is counted, so what
 * else the machine does matters little, and all is measured once more before an operation that is too dear has failed. Needs
 * Linux, because it reads /proc. BENCH_DATABASE_URL as for `npm run bench`.
 */
import { startMailServer } from "../support/mailServer.ts"
import { budget } from "./budget.ts"
import { cpuMeter, type Cpu } from "./cpuMeter.ts"
import { liveCompany } from "./liveCompany.ts"
import { measured, startUndecided, type Measured, type Operation, type Side } from "./measured.ts"
import { withDatabase, withService } from "./running.ts"
import { withPlainServer } from "./runningPlain.ts"

const connections = 32
const millis = 2500
/** So many that a decision's measurement lasts for two seconds, and few enough that a start's is soon over. */
const most = 2000
/** A company's mails leave four at a time, some eighty a second: a measurement's mails take five seconds. */
const mostMailed = 200

type Budgeted = keyof typeof budget

/** Microseconds of CPU a request, of the server and of PostgreSQL. */
type Costs = Readonly<Record<Budgeted, number>>

const sum = ({ postgres, service }: Cpu): number => postgres + service

type Load = Parameters<typeof measured>[2]

const allAnswered = async (side: Side, operation: Operation, load: Partial<Load>): Promise<Measured> => {
  const done = await measured(side, operation, { connections, millis, most, ...load })
  if (done.failures > 0) throw new Error(`${operation}: ${done.failures} requests failed`)
  return done
}

/** Without what it leaves behind. */
const costsOf = async (side: Side): Promise<Omit<Costs, "mailed">> => {
  // These also warm the server up: what is not compiled yet costs more than it will.
  const ids = await startUndecided(side, most)
  const cost = async (operation: Operation) => sum((await allAnswered(side, operation, { ids })).cpu)
  return { read: await cost("read"), decide: await cost("decide"), start: await cost("start") }
}

/** Of live starts, until their last mail has left. */
const mailedCost = async (mailing: Side): Promise<number> => {
  const { cpu, later } = await allAnswered(mailing, "start", { most: mostMailed })
  return sum(cpu) + sum(later)
}

/** One measurement of everything. Says what each operation costs, and answers with those that are too dear. */
const tooDear = async (service: Side, plain: Side, mailing: Side): Promise<ReadonlyArray<Budgeted>> => {
  const plainCosts = await costsOf(plain)
  const costs: Costs = { ...(await costsOf(service)), mailed: await mailedCost(mailing) }
  return (Object.keys(budget) as ReadonlyArray<Budgeted>).filter((name) => {
    const beside = name === "mailed" ? "start" : name
    const ratio = costs[name] / plainCosts[beside]
    const isDear = ratio > budget[name]
    console.log(
      `${name.padEnd(8)}${costs[name].toFixed(0).padStart(6)} µs of CPU, ${ratio.toFixed(2)} times a ${beside} of the plain server ` +
        `(${plainCosts[beside].toFixed(0)} µs); the budget is ${budget[name]} times${isDear ? ": too dear" : ""}`
    )
    return isDear
  })
}

const check = async (service: Side, plain: Side, mailing: Side): Promise<void> => {
  const once = await tooDear(service, plain, mailing)
  const again = once.length === 0 ? [] : await tooDear(service, plain, mailing)
  const twice = once.filter((name) => again.includes(name))
  if (twice.length === 0) return
  console.error(`dearer than test/bench/budget.ts allows, twice: ${twice.join(", ")}`)
  process.exitCode = 1
}

/** A service of its own, on a database of its own: each takes up the mail that it finds. The CPU time of the mail server is this process's. */
const withMailing = async (use: (mailing: Side) => Promise<void>): Promise<void> => {
  const server = await startMailServer()
  const smtp = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "Bench <bench@example.com>" }
  await withDatabase((databaseUrl) =>
    withService(databaseUrl, smtp, async (running) => {
      const { key } = await liveCompany(running)
      const mailing = { ports: [running.port], keys: [key], meter: await cpuMeter(databaseUrl, running.pid) }
      // What is not compiled yet costs more than it will.
      await mailedCost(mailing)
      await use(mailing)
    })
  ).finally(server.stop)
}

await withMailing((mailing) =>
  withDatabase((databaseUrl) =>
    withService(databaseUrl, {}, async ({ key, pid, port }) => {
      const service = { ports: [port], keys: [key], meter: await cpuMeter(databaseUrl, pid) }
      await withPlainServer(databaseUrl, (plain) => check(service, plain, mailing))
    })
  )
)

/**
 * `npm run bench`: how fast the service is on this machine, compared in one run: the service, the plain server of this folder, and
 * the limit of PostgreSQL, in turns, at 1, 32 and 128 connections. Then the service again while its database grows, and with many
 * companies. Prints tables and judges nothing: machines differ, and shared machines change from minute to minute, so compare rows of one run.
 * The CPU time is that of one request (Linux only): of the server's processes, and of PostgreSQL.
 *
 * With BENCH_DATABASE_URL it uses that server (the role must be allowed to create databases), otherwise an embedded
 * one. BENCH_SECONDS is the length of one measurement, BENCH_ROUNDS how often each is made (the median is printed), BENCH_CONNECTIONS
 * the connections ("1 32 128"; none with ""), BENCH_GROWTH the sizes of the database ("10000 100000 1000000"; none with ""), BENCH_ALARMS how many
 * alarms are overdue at the end (5000), BENCH_COMPANIES how many companies one is compared with (100; none with 0).
 */
import { measureCompanies } from "./companies.ts"
import { cpuMeter } from "./cpuMeter.ts"
import { measureGrowth } from "./growth.ts"
import { limits, measureLimit } from "./limit.ts"
import { inTurns, measuredOnNew, operations, startUndecided, type Operation, type Side } from "./measured.ts"
import { withDatabase, withService } from "./running.ts"
import { withPlainServer } from "./runningPlain.ts"
import { head, line } from "./table.ts"

const millis = 1000 * Number(process.env["BENCH_SECONDS"] ?? 4)
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3)
const alarms = Number(process.env["BENCH_ALARMS"] ?? 5000)
const companies = Number(process.env["BENCH_COMPANIES"] ?? 100)
const numbersOf = (text: string): ReadonlyArray<number> =>
  text
    .split(" ")
    .filter((number) => number !== "")
    .map(Number)
const growth = numbersOf(process.env["BENCH_GROWTH"] ?? "10000")
const connectionsCompared = numbersOf(process.env["BENCH_CONNECTIONS"] ?? "1 32 128")
/** Few journeys to read, and decisions for a second or more on a fast machine. */
const undecided = { start: 0, read: 500, decide: 4000 }

const names: Readonly<Record<Operation, string>> = { start: "start", read: "read", decide: "finance-decision" }

const compare = async (service: Side, plain: Side, operation: Operation, connections: number): Promise<void> => {
  const plan = { connections, millis, undecided: undecided[operation] }
  const results = await inTurns([service, plain], rounds, (side) => measuredOnNew(side, operation, plan))
  const titles = [names[operation], "  the plain server"]
  for (const [at, result] of results.entries()) console.log(line(titles[at] ?? "", connections, result))
}

const compareServers = (): Promise<void> =>
  withDatabase((databaseUrl) =>
    withService(databaseUrl, {}, async ({ key, pid, port }) => {
      const service = { ports: [port], keys: [key], meter: await cpuMeter(databaseUrl, pid) }
      await withPlainServer(databaseUrl, async (plain) => {
        for (const side of [service, plain]) await startUndecided(side, undecided.decide)
        console.log(head(""))
        for (const connections of connectionsCompared) {
          for (const operation of operations) await compare(service, plain, operation, connections)
          for (const limit of limits) {
            const plan = { connections, millis }
            const results = await inTurns([limit], rounds, (one) => measureLimit(databaseUrl, plain.meter, one, plan))
            for (const result of results) console.log(line(`  ${limit.name}`, connections, result))
          }
        }
      })
    })
  )

if (connectionsCompared.length > 0) await compareServers()
if (growth.length > 0) await measureGrowth(growth, { millis, rounds }, alarms)
if (companies > 0) await measureCompanies(companies, millis, rounds)

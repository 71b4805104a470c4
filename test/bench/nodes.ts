/**
 * `npm run bench:nodes`: what a second node on this machine brings, and what Redis costs a node. The same load goes to a node
 * alone, to a node with Redis, and to two nodes with Redis, which share its connections, in turns. All of them run at once, each service
 * on a database of its own. Prints a table and two ratios for each operation, and judges nothing. Redis' own CPU time is not in it.
 *
 * `BENCH_ROUNDS` rounds (5) after one that is not counted, `BENCH_SECONDS` a measurement (3), `BENCH_CONNECTIONS` connections in all (64).
 * Needs redis-server; with BENCH_DATABASE_URL it uses that PostgreSQL, otherwise an embedded one.
 */
import { randomBytes } from "node:crypto"
import { freePort } from "../support/freePort.ts"
import { startRedis } from "../support/redisServer.ts"
import { cpuMeter, sumOf } from "./cpuMeter.ts"
import { inTurns, measuredOnNew, operations, type Operation, type Side } from "./measured.ts"
import { withDatabase, withService, type Running } from "./running.ts"
import { head, line } from "./table.ts"

const millis = 1000 * Number(process.env["BENCH_SECONDS"] ?? 3)
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5)
const connections = Number(process.env["BENCH_CONNECTIONS"] ?? 64)
const undecided = { start: 0, read: 500, decide: 6000 }

/** Nodes of one service; the use of all of them is within that of the first. */
const withNodes = (
  databaseUrl: string,
  environments: ReadonlyArray<Readonly<Record<string, string>>>,
  use: (nodes: ReadonlyArray<Running>) => Promise<void>
): Promise<void> => {
  const [first, ...more] = environments
  if (first === undefined) return use([])
  return withService(databaseUrl, first, (node) => withNodes(databaseUrl, more, (nodes) => use([node, ...nodes])))
}

const withSide = (count: number, redis: string | undefined, use: (side: Side) => Promise<void>): Promise<void> =>
  withDatabase(async (databaseUrl) => {
    const shared = { ENCRYPTION_KEY: randomBytes(32).toString("base64") }
    const environments = await Promise.all(
      Array.from({ length: count }, async () =>
        redis === undefined ? shared : { ...shared, REDIS_URL: redis, RUNNER_ADDRESS: `127.0.0.1:${await freePort()}` }
      )
    )
    await withNodes(databaseUrl, environments, async (nodes) => {
      const meter = await cpuMeter(databaseUrl, ...nodes.map(({ pid }) => pid))
      await use({ ports: nodes.map(({ port }) => port), keys: nodes.slice(0, 1).map(({ key }) => key), meter })
    })
  })

const titles = ["a node alone", "a node with Redis", "two nodes with Redis"]

const compare = async (sides: ReadonlyArray<Side>, operation: Operation): Promise<void> => {
  const plan = { connections, millis, undecided: undecided[operation] }
  // What is not compiled yet costs more than it will.
  for (const side of sides) await measuredOnNew(side, operation, plan)
  const [alone, one, two] = await inTurns(sides, rounds, (side) => measuredOnNew(side, operation, plan))
  if (alone === undefined || one === undefined || two === undefined) return
  for (const [at, result] of [alone, one, two].entries())
    console.log(line(`${operation}, ${titles[at]}`, connections, result))
  console.log(
    `  two nodes serve ${(two.rate / alone.rate).toFixed(2)} times as many as one alone; ` +
      `a request costs ${(sumOf(one.cpu) / sumOf(alone.cpu)).toFixed(2)} with Redis and ${(sumOf(two.cpu) / sumOf(alone.cpu)).toFixed(2)} with two`
  )
}

const redis = await startRedis()
await withSide(1, undefined, (alone) =>
  withSide(1, `${redis.url}/1`, (one) =>
    withSide(2, `${redis.url}/2`, async (two) => {
      console.log(head(""))
      for (const operation of operations) await compare([alone, one, two], operation)
    })
  )
).finally(redis.stop)

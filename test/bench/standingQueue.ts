/**
 * A queue of deliveries that are all due, and the receiver that takes them. The benchmarks of webhooks and of CPU time
 * share both; what a benchmark measures is its own.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { arrayParameter } from "../../src/runtime/postgres/parameters.ts"

interface Arrived {
  readonly requests: number
  readonly distinct: number
  readonly forged: number
  readonly p50: number
  readonly p99: number
  readonly arrivals: ReadonlyArray<readonly [journeyId: string, at: number]>
}

export const startReceiver = async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "receiver.ts")], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async <A>(): Promise<A> => JSON.parse((await lines.next()).value ?? "null") as A
  const { port } = await next<{ readonly port: number }>()
  return {
    url: `http://127.0.0.1:${port}/hook`,
    know: (secret: string) => child.stdin.write(`${secret}\n`),
    tell: (what: "stats" | "reset"): Promise<Arrived> => {
      child.stdin.write(`${what}\n`)
      return next()
    },
    stop: () => child.stdin.end()
  }
}

/**
 * Writes events and their due deliveries, three events for each journey, as copies of an event of a started journey. Their ids
 * have the time in front, as the service's own have: events and attempts stand in months by the time in the id. `round` makes a second
 * queue another than the first. `companies` have them in turns; without them the company of the copied event has all.
 */
export const queue = (sql: SqlClient.SqlClient, count: number, round = 0, companies: ReadonlyArray<string> = []) =>
  sql.unsafe(
    `with model as (
    select * from events where sequence = 1 order by created_at desc limit 1
  ), numbered as (
    select number, (lpad(to_hex((extract(epoch from now()) * 1000)::int8), 12, '0') || '7' || substr(md5(number || 'e' || $2::int4), 1, 3)
      || '8' || substr(md5(number || 'e' || $2::int4), 4, 15))::uuid as event_id
    from generate_series(0, $1::int4 - 1) as number
  ), e as (
    insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
    select md5(number / 3 || 'j' || $2::int4)::uuid, number % 3 + 1, event_id,
      coalesce(($3::uuid[])[number / 3 % nullif(cardinality($3::uuid[]), 0) + 1], company_id), livemode, type,
      replace(body, id::text, event_id::text), now()
    from model, numbered
    returning id, company_id, livemode
  )
  insert into deliveries (endpoint_id, event_id, status, due_at)
  select w.id, e.id, 'PENDING', now() from e join webhook_endpoints w using (company_id, livemode)`,
    [count, round, arrayParameter(companies, "uuid")]
  )

/** Waits until no delivery is due. The question is cheap, because PostgreSQL's work for it counts in the measurement. */
export const untilDelivered = async (sql: SqlClient.SqlClient, areArrived: () => Promise<boolean>): Promise<void> => {
  while (!(await areArrived())) await new Promise((resolve) => setTimeout(resolve, 20))
  for (;;) {
    const left = await Effect.runPromise(sql.unsafe("select from deliveries where due_at is not null limit 1"))
    if (left.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/**
 * `npm run bench:webhooks`: how fast events reach a receiver. The service, its PostgreSQL and the receiver are
 * processes of their own. It measures how long 20,000 events that are committed and due at once take until all are
 * received and recorded as delivered. It also measures the times from an event's creation, and from the answer to the
 * start that made it, to its arrival, while journeys start at a low rate. For comparison, a client that only posts
 * sends to the same receiver. Compare rows of one run only.
 *
 * BENCH_DATABASE_URL as for `npm run bench`. BENCH_EVENTS and BENCH_STARTS set the sizes.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Pool } from "undici"
import { startExamples } from "../../src/schema/start/examples.ts"
import { queue, startReceiver, untilDelivered } from "./standingQueue.ts"
import { withDatabase, withService, type Running } from "./running.ts"

const events = Number(process.env["BENCH_EVENTS"] ?? 20_000)
const starts = Number(process.env["BENCH_STARTS"] ?? 200)
const startsPerSecond = 20
const connections = 32

const row = (name: string, values: ReadonlyArray<string>): void =>
  console.log(name.padEnd(48) + values.map((value) => value.padStart(14)).join(""))

/** A client that only posts. */
const postOnly = async (url: string): Promise<number> => {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const body = JSON.stringify({ id: "x", createdAt: new Date().toISOString(), filler: "x".repeat(400) })
  const began = performance.now()
  let next = 0
  const post = async () => {
    while (next < events) {
      const id = String(next++)
      const answer = await pool.request({ method: "POST", path: pathname, body, headers: { "service-event-id": id } })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: connections }, post))
  const rate = events / ((performance.now() - began) / 1000)
  await pool.close()
  return rate
}

/** When each start was answered, a moment after its events were committed. */
const startSome = async ({ key, port }: Running): Promise<ReadonlyMap<string, number>> => {
  const answered = new Map<string, number>()
  const began = performance.now()
  for (let number = 0; number < starts; number++) {
    const wait = began + (number * 1000) / startsPerSecond - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const body = JSON.stringify(startExamples.IDENTITY_DELIVERY).replace(
      /"email":"[^"]*"/,
      `"email":"w${number}@example.com"`
    )
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/journeys`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": `webhooks-${number}`
      },
      body
    })
    if (!answer.ok) throw new Error(`start: ${answer.status} ${await answer.text()}`)
    const { data } = (await answer.json()) as { readonly data: { readonly id: string } }
    answered.set(data.id, performance.timeOrigin + performance.now())
  }
  return answered
}

const percentile = (values: ReadonlyArray<number>, share: number): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN).toFixed(1)

const measure = async (running: Running, sql: SqlClient.SqlClient): Promise<void> => {
  const endpoint = (url: string) =>
    running.settings("PUT", `/companies/${running.companyId}/webhook-endpoints/test`, { url })
  const plain = await startReceiver()
  row("", ["events", "per second", "p50 ms", "p99 ms"])
  row("posts only, nothing kept", [String(events), (await postOnly(plain.url)).toFixed(0), "", ""])
  plain.stop()

  const receiver = await startReceiver()
  const { secret = "" } = await endpoint(receiver.url)
  receiver.know(secret)
  const answered = await startSome(running)
  await untilDelivered(sql, () => Promise.resolve(true))
  const calm = await receiver.tell("reset")
  row(`${startsPerSecond} starts a second, created to arrived`, [
    String(calm.distinct),
    "",
    calm.p50.toFixed(1),
    calm.p99.toFixed(1)
  ])
  const after = calm.arrivals.map(([journeyId, at]) => at - (answered.get(journeyId) ?? Number.NaN))
  row("  start answered to its events arrived", [
    String(after.length),
    "",
    percentile(after, 0.5),
    percentile(after, 0.99)
  ])

  await Effect.runPromise(queue(sql, events))
  const began = performance.now()
  await endpoint(receiver.url)
  await untilDelivered(sql, async () => (await receiver.tell("stats")).distinct === events)
  const seconds = (performance.now() - began) / 1000
  const busy = await receiver.tell("stats")
  if (calm.forged + busy.forged > 0) throw new Error("signatures did not hold")
  if (busy.distinct !== events) throw new Error(`${busy.distinct} of ${events} events arrived`)
  row("a standing queue, until received and recorded", [String(events), (events / seconds).toFixed(0), "", ""])
  receiver.stop()
}

await withDatabase((databaseUrl) =>
  withService(databaseUrl, { WEBHOOK_ALLOW_INSECURE: "true" }, (running) =>
    Effect.runPromise(
      Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.promise(() => measure(running, sql))).pipe(
        Effect.provide(PgClient.layer({ url: Redacted.make(databaseUrl) }))
      )
    )
  )
)

/**
 * The comparison for group commit: a client that writes the rows of one start in a plain transaction, one statement
 * after another, without HTTP, validation or encryption. It repeats the rows of journeys that the service has started.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"

/** The embedded PostgreSQL takes 50 connections, and the service has its own. */
const mostConnections = 32

export interface PlainResult {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

/**
 * Copies the rows of the newest journey under new ids, with `clients` connections at once, for `duration` milliseconds.
 */
export const runPlainClient = (databaseUrl: string, clients: number, duration: number): Promise<PlainResult> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [model] = yield* sql<{ readonly id: string }>`select id from journeys order by created_at desc limit 1`
        const from = model?.id ?? ""
        const began = performance.now()
        const latencies: Array<number> = []
        const writeOne = sql.withTransaction(
          Effect.gen(function* () {
            const id = randomUUID()
            const customer = randomUUID()
            yield* sql`insert into customers select ${customer}::uuid, company_id, livemode, decode(md5(${id}::text), 'hex'), wrapped_key, now()
              from customers where id = (select customer_id from journeys where id = ${from})`
            yield* sql`insert into journeys select ${id}::uuid, company_id, livemode, status, version, external_reference, ${customer}::uuid, ${id}::text,
              fingerprint, state, wake_at, set_aside_at, now() from journeys where id = ${from}`
            yield* sql`insert into personal_records select ${id}::uuid, ${customer}::uuid, sealed from personal_records where journey_id = ${from}`
            yield* sql`insert into journal select ${id}::uuid, version, ${id}::uuid, sender, message, sealed_note, now()
              from journal where journey_id = ${from} and version = 1`
            yield* sql`insert into events select ${id}::uuid, sequence, gen_random_uuid(), company_id, livemode, type, body, now()
              from events where journey_id = ${from} and sequence <= 2`
          })
        )
        const client = Effect.gen(function* () {
          while (performance.now() - began < duration) {
            const at = performance.now()
            yield* writeOne
            latencies.push(performance.now() - at)
          }
        })
        yield* Effect.all(
          Array.from({ length: clients }, () => client),
          { concurrency: "unbounded", discard: true }
        )
        const seconds = (performance.now() - began) / 1000
        latencies.sort((a, b) => a - b)
        const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
        return { rate: latencies.length / seconds, p50: percentile(0.5), p99: percentile(0.99) }
      }).pipe(
        Effect.provide(
          PgClient.layer({ url: Redacted.make(databaseUrl), maxConnections: Math.min(clients, mostConnections) })
        )
      )
    )
  )

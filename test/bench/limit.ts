/**
 * The limit: what PostgreSQL takes when a client does nothing but write the rows of starts, without HTTP, validation or encryption. The
 * rows are those of a journey that the service has started, under new ids and without its mail. Three forms: a transaction of
 * plain statements, one statement, and one statement for sixteen starts.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted, Scope, Exit } from "effect"
import { randomUUID } from "node:crypto"
import { uuidArray } from "../../src/runtime/postgres/parameters.ts"
import { queryDirectly } from "../support/directly.ts"
import type { CpuMeter } from "./cpuMeter.ts"

/** The embedded PostgreSQL takes 50 connections, and both servers have theirs. */
const mostConnections = 16

/** What is copied, `n` being the new ids of journeys and customers, and `m` the journey that is the model. */
const inserts = [
  `insert into customers (id, company_id, livemode, email_index, wrapped_key, created_at)
    select n.customer, c.company_id, c.livemode, decode(md5(n.id::text), 'hex'), c.wrapped_key, now()
    from n, m join customers c on c.id = m.customer_id`,
  `insert into journeys (id, company_id, livemode, status, version, external_reference, customer_id, idempotency_key, fingerprint, state,
      wake_at, created_at, type, waiting_on, waiting_since, step, identity_status, identity_check, registration_index, is_filled)
    select n.id, company_id, livemode, status, version, external_reference, n.customer, n.id::text, fingerprint, state,
      wake_at, now(), type, waiting_on, now(), step, identity_status, identity_check, registration_index, true
    from n, m`,
  `insert into personal_records (journey_id, customer_id, sealed)
    select n.id, n.customer, p.sealed from n, m join personal_records p on p.journey_id = m.id`,
  `insert into journal (journey_id, version, message_id, sender, message, at, request_id)
    select n.id, j.version, n.id, j.sender, j.message, now(), j.request_id from n, m join journal j on j.journey_id = m.id where j.version = 1`,
  `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at, version)
    select n.id, e.sequence, gen_random_uuid(), e.company_id, e.livemode, e.type, e.body, now(), 1
    from n, m join events e on e.journey_id = m.id where e.version = 1`
]
const sources = `n as (select * from unnest($1::uuid[], $2::uuid[]) as n (id, customer)), m as (select * from journeys where id = $3)`
const plainStatements = inserts.map((insert) => `with ${sources} ${insert}`)
const oneStatement = `with ${sources}, ${inserts.map((insert, at) => `w${at} as (${insert})`).join(", ")} select`

/** The statements of one commit, and how many starts it writes. */
export const limits: ReadonlyArray<{ name: string; statements: ReadonlyArray<string>; starts: number }> = [
  { name: "rows of a start, a transaction", statements: ["begin", ...plainStatements, "commit"], starts: 1 },
  { name: "rows of a start, one statement", statements: [oneStatement], starts: 1 },
  { name: "rows of 16 starts, one statement", statements: [oneStatement], starts: 16 }
]

export const measureLimit = async (
  databaseUrl: string,
  meter: CpuMeter,
  { starts, statements }: (typeof limits)[number],
  { connections, millis }: { connections: number; millis: number }
) => {
  const [model] = await queryDirectly<{ readonly id: string }>(
    databaseUrl,
    "select id from journeys where type = 'IDENTITY_DELIVERY' and version = 1 order by created_at desc limit 1"
  )
  const scope = Scope.makeUnsafe()
  const url = Redacted.make(databaseUrl)
  const latencies: Array<number> = []
  const before = meter.now()
  const began = performance.now()
  const client = async () => {
    const session = await Effect.runPromise(Scope.provide(PgConnection.make({ url, prepare: true }), scope))
    while (performance.now() - began < millis) {
      const ids = () => uuidArray(Array.from({ length: starts }, () => randomUUID()))
      const values = [ids(), ids(), model?.id]
      const at = performance.now()
      for (const text of statements) await Effect.runPromise(session.query(text, text.startsWith("with") ? values : []))
      latencies.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: Math.min(connections, mostConnections) }, client))
  const seconds = (performance.now() - began) / 1000
  await Effect.runPromise(Scope.close(scope, Exit.void))
  const count = latencies.length * starts
  const sorted = latencies.toSorted((a, b) => a - b)
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  const postgres = (meter.now().postgres - before.postgres) / count
  return { rate: count / seconds, count, p50: percentile(0.5), p99: percentile(0.99), failures: 0, cpu: { postgres } }
}

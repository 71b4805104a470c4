/** The migration that counts attempts: those of the week before are counted as the service counts them from then on. */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { timeStepOf } from "../../../src/actors/webhook/rules/attemptStatistics.ts"
import * as Database from "../../../src/runtime/postgres/Database.ts"
import { migrations } from "../../../src/runtime/postgres/migrations/all.ts"
import { queryDirectly } from "../../support/directly.ts"
import { databaseWithoutTables } from "../../support/service.ts"

const id = "0197a000-0000-7000-8000-000000000002"

const migrateTo = (url: string, count: number) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.provide(
        Effect.asVoid(SqlClient.SqlClient),
        Database.layerOf(Redacted.make(url), migrations.slice(0, count))
      )
    )
  )

it("the attempts of the week before are counted by hour and time, without tests and failures of the service", async () => {
  const url = await databaseWithoutTables()
  const before = migrations.findIndex(({ name }) => name === "endpoint hours")
  await migrateTo(url, before)
  const query = (text: string, values: ReadonlyArray<unknown> = []) => queryDirectly(url, text, values)
  await query(
    `insert into companies (id, name, kind, admin_email, sandbox, created_at)
     values ($1, 'Harbour Cars', 'DEALER', 'owner@example.com', '{}', now())`,
    [id]
  )
  await query(
    `insert into webhook_endpoints (id, company_id, livemode, url, events, enabled, sealed_secret, created_at)
     values ($1, $1, false, 'https://hooks.example.com/', '{*}', true, '', now())`,
    [id]
  )
  await query(
    `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
     values ($1, 1, $1, $1, false, 'journey.created', '{}', now())`,
    [id]
  )
  const attempts = [
    { durationMillis: 1, error: null, httpStatus: 200 },
    { durationMillis: 8, error: null, httpStatus: 204 },
    { durationMillis: 90, error: null, httpStatus: 500 },
    { durationMillis: 10_000, error: "TIMEOUT", httpStatus: null },
    { durationMillis: 3, error: "CONNECTION_REFUSED", httpStatus: null }
  ] as const
  const [delivered] = attempts
  const uncounted = { durationMillis: 1, error: "SERVICE_FAILURE", httpStatus: null }
  const written = [
    ...attempts.map((attempt) => ({ ...attempt, days: 1, trigger: "SCHEDULE" })),
    { ...delivered, days: 1, trigger: "TEST" },
    { ...delivered, days: 9, trigger: "SCHEDULE" },
    { ...uncounted, days: 1, trigger: "SCHEDULE" }
  ]
  for (const [at, { days, durationMillis, error, httpStatus, trigger }] of written.entries()) {
    await query(
      `insert into attempts (event_id, number, at, duration_millis, trigger, http_status, error)
       values ($1, $2, now() - make_interval(days => $3::int4), $4, $5, $6, $7)`,
      [id, at + 1, days, durationMillis, trigger, httpStatus, error]
    )
  }
  await migrateTo(url, before + 1)
  const counted = attempts.map((attempt) => {
    const delivered = attempt.httpStatus === 200 || attempt.httpStatus === 204 ? 1 : 0
    return { endpoint_id: id, step: timeStepOf(attempt), delivered, failed: 1 - delivered }
  })
  expect(await query("select endpoint_id, step, delivered, failed from endpoint_hours order by step")).toEqual(
    counted.toSorted((one, other) => one.step - other.step)
  )
})

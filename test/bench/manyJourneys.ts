/**
 * Many journeys of one company, written by SQL: copies of the journeys that the company has, each with an id, a customer and a
 * sealed record of its own. They stand in every status and wait since different times; a few have expired, as few as a filter has
 * to find in a long list. Nothing ever wakes them, and all are too young for the removal of old test journeys, which would take them away
 * while they are measured.
 */
import { SqlClient } from "effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { registrationIndex } from "../../src/actors/journey/actor/start/registrationIndex.ts"
import type { Journey } from "../../src/actors/journey/rules/state/Journey.ts"
import { waitingOnOf } from "../../src/actors/journey/rules/state/waiting.ts"
import * as AesVault from "../../src/runtime/keys/AesVault.ts"
import { arrayParameter } from "../../src/runtime/postgres/parameters.ts"
import { retentionLimits } from "../../src/runtime/work/limits.ts"
import { CompanyId } from "../../src/schema/ids.ts"
import { typeOfShape } from "../../src/schema/journey/statuses.ts"

const atOnce = 2000
/** Milliseconds from the first journey to the last. */
const span = 0.8 * Duration.toMillis(retentionLimits.testDataKeptFor)

const insert = `
with t as (
  select * from unnest($2::uuid[], $3::uuid[], $4::bool[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::bytea[], $11::bytea[], $12::bytea[], $13::bytea[], $14::timestamptz[])
  as t (id, customer_id, livemode, status, reference, state, type, waiting_on, email, key, registration, sealed, at)
), c as (
  insert into customers (id, company_id, livemode, email_index, wrapped_key, created_at)
  select customer_id, $1::uuid, livemode, email, key, at from t
), p as (
  insert into personal_records (journey_id, customer_id, sealed) select id, customer_id, sealed from t
)
insert into journeys (id, company_id, livemode, status, version, external_reference, customer_id, idempotency_key, fingerprint,
  state, created_at, type, waiting_on, waiting_since, registration_index, is_filled)
select id, $1::uuid, livemode, status, 2, reference, customer_id, id::text, ''::bytea, state::json, at, type, waiting_on,
  case when waiting_on is not null then at end, registration, true from t`

/** One in 20,000 has expired, a third has ended in another way. */
const statusOf = (at: number): Journey["status"] => {
  if (at % 20_000 === 19_999) return "EXPIRED"
  return at % 3 === 0 ? (at % 2 === 0 ? "COMPLETED" : "CANCELLED") : "ACTIVE"
}

/** Answers with the id of a journey near the end of the list. Journeys are numbered, here from `first` on. */
export const fillCompany = async (
  databaseUrl: string,
  companyId: string,
  encryptionKey: Uint8Array,
  count: number,
  first = 0
): Promise<string> => {
  const vault = AesVault.make(encryptionKey)
  const company = CompanyId.make(companyId)
  const apart = span / (first + count)
  const beganAt = Date.now() - span
  const line = (templates: ReadonlyArray<Journey>, at: number) => {
    const livemode = at % 5 === 0
    const createdAt = Math.floor(beganAt + at * apart)
    const reference = `deal-${at}`
    const template = templates[at % templates.length]
    if (template === undefined) throw new Error("the company has no journey to copy")
    const journey = {
      ...template,
      id: randomUUID() as Journey["id"],
      livemode,
      status: statusOf(at),
      createdAt,
      lastEventAt: createdAt,
      externalReference: reference
    }
    const registration = `AB12 ${String(at).padStart(6, "0")}`
    const key = Effect.runSync(vault.newKey)
    const customer = { firstName: "Ann", lastName: `Number ${at}`, email: `n${at}@example.com` }
    const record = { customer, vehicle: { registration }, notes: "x".repeat(1000) }
    return {
      journey,
      createdAt,
      key: key.wrapped,
      email: vault.index("email", `n${at}@example.com`),
      registration: registrationIndex(vault, { companyId: company, livemode }, registration),
      sealed: key.seal(`personal_records|${journey.id}`, JSON.stringify(record))
    }
  }

  const writing = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql.unsafe<{ readonly state: Journey }>(
      "select state from journeys where company_id = $1 order by created_at limit 100",
      [companyId]
    )
    const templates = rows.map(({ state }) => state)
    let deep = ""
    for (let from = first; from < first + count; from += atOnce) {
      const lines = Array.from({ length: Math.min(atOnce, first + count - from) }, (_, at) =>
        line(templates, from + at)
      )
      const journeys = lines.map(({ journey }) => journey)
      deep = from === first ? (journeys[500]?.id ?? "") : deep
      yield* sql.unsafe(insert, [
        companyId,
        arrayParameter(
          journeys.map(({ id }) => id),
          "uuid"
        ),
        arrayParameter(
          journeys.map(() => randomUUID()),
          "uuid"
        ),
        arrayParameter(
          journeys.map(({ livemode }) => livemode),
          "bool"
        ),
        arrayParameter(
          journeys.map(({ status }) => status),
          "text"
        ),
        arrayParameter(
          journeys.map(({ externalReference }) => externalReference),
          "text"
        ),
        arrayParameter(
          journeys.map((journey) => JSON.stringify(journey)),
          "text"
        ),
        arrayParameter(
          journeys.map(({ shape }) => typeOfShape[shape]),
          "text"
        ),
        arrayParameter(
          journeys.map((journey) => waitingOnOf(journey)),
          "text"
        ),
        arrayParameter(
          lines.map(({ email }) => email),
          "bytea"
        ),
        arrayParameter(
          lines.map(({ key }) => key),
          "bytea"
        ),
        arrayParameter(
          lines.map(({ registration }) => registration),
          "bytea"
        ),
        arrayParameter(
          lines.map(({ sealed }) => sealed),
          "bytea"
        ),
        arrayParameter(
          lines.map(({ createdAt }) => new Date(createdAt)),
          "timestamptz"
        )
      ])
    }
    for (const table of ["journeys", "customers", "personal_records"]) yield* sql.unsafe(`vacuum analyze ${table}`)
    return deep
  })
  return Effect.runPromise(Effect.provide(writing, PgClient.layer({ url: Redacted.make(databaseUrl) })))
}

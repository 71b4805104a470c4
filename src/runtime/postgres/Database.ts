/**
 * The connection pool to PostgreSQL, which DATABASE_URL names or which is embedded. The layer exists only when the database
 * may be used: its settings are safe and its schema is up to date. What a failed statement means is in `sqlFailure.ts`.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Settings } from "../Settings.ts"
import { DatabaseFacts, databaseFactsStatement, unsafe } from "./databaseChecks.ts"
import * as EmbeddedPostgres from "../embedded/EmbeddedPostgres.ts"
import type { EmbeddedPostgresError } from "../embedded/EmbeddedPostgresError.ts"
import * as Migrations from "./Migrations.ts"
import { migrations } from "./migrations/all.ts"
import { pool } from "./pool.ts"
import { isUnavailable } from "./sqlFailure.ts"

/** The database cannot be reached or may not be used. The message has one line for each reason. */
export class DatabaseError extends Data.TaggedError("DatabaseError")<{ readonly message: string }> {}

/** A pool that is ready. The services `PgClient` and `SqlClient` are the same client. */
export const layer: Layer.Layer<
  PgClient.PgClient | SqlClient.SqlClient,
  DatabaseError | EmbeddedPostgresError | Migrations.MigrationError,
  Settings
> = Layer.effectContext(
  Effect.gen(function* () {
    const settings = yield* Settings
    const url = settings.databaseUrl ?? (yield* EmbeddedPostgres.start(settings.dataDir)).url
    return yield* ready(url, migrations)
  })
)

/** The same for tests, with a given database and given migrations. */
export const layerOf = (url: Redacted.Redacted, given: ReadonlyArray<Migrations.Migration>) =>
  Layer.effectContext(ready(url, given))

const ready = (url: Redacted.Redacted, given: ReadonlyArray<Migrations.Migration>) =>
  Effect.gen(function* () {
    const client = yield* pool(url)
    yield* check(client)
    yield* Effect.provideService(Migrations.run(given), SqlClient.SqlClient, client)
    return Context.make(PgClient.PgClient, client).pipe(Context.add(SqlClient.SqlClient, client))
  }).pipe(
    Effect.catchTag("SqlError", (error) =>
      Effect.fail(new DatabaseError({ message: `the database at ${placeOf(url)} ${complaint(error)}` }))
    ),
    Effect.provide(Reactivity.layer)
  )

const check = Effect.fn("Database.check")(function* (client: PgClient.PgClient) {
  const facts = yield* DatabaseFacts.first(client.unsafe(databaseFactsStatement))
  const problems = facts === null ? [] : unsafe(facts)
  if (problems.length === 0) return
  return yield* new DatabaseError({
    message: problems.map((problem) => `this database may not be used: ${problem}`).join("\n")
  })
})

const placeOf = (url: Redacted.Redacted): string => {
  const { host, pathname } = new URL(Redacted.value(url))
  return `${host}${pathname}`
}

const complaint = (error: SqlError): string => {
  const cause = error.reason.cause
  const detail = cause instanceof Error ? cause.message : error.message
  return isUnavailable(error) ? `cannot be reached: ${detail}` : `refuses what is needed to start: ${detail}`
}

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
import { databaseHostOf } from "../settings/databaseHost.ts"
import { Settings } from "../settings/Settings.ts"
import type { Finding } from "../honesty/Finding.ts"
import { profileOf } from "../settings/profile.ts"
import {
  DatabaseFacts,
  databaseFactsStatement,
  databaseFindings,
  hasKeysStatement,
  LiveKeys,
  liveKeysStatement,
  roleFinding,
  switchesFinding
} from "./databaseChecks.ts"
import * as EmbeddedPostgres from "../embedded/EmbeddedPostgres.ts"
import type { EmbeddedPostgresError } from "../embedded/EmbeddedPostgresError.ts"
import * as Migrations from "./Migrations.ts"
import { migrations } from "./migrations/all.ts"
import { pool } from "./pool.ts"
import { isUnavailable, sqlState } from "./sqlFailure.ts"

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
    return yield* ready(url, migrations, settings)
  })
)

/** The same for tests, with a given database and given migrations. */
export const layerOf = (url: Redacted.Redacted, given: ReadonlyArray<Migrations.Migration>) =>
  Layer.effectContext(ready(url, given, null))

const ready = (
  url: Redacted.Redacted,
  given: ReadonlyArray<Migrations.Migration>,
  settings: Settings["Service"] | null
) =>
  Effect.gen(function* () {
    const client = yield* pool(url)
    yield* check(client, settings)
    yield* Effect.provideService(Migrations.run(given), SqlClient.SqlClient, client)
    return Context.make(PgClient.PgClient, client).pipe(Context.add(SqlClient.SqlClient, client))
  }).pipe(
    Effect.catchTag("SqlError", (error) =>
      Effect.fail(new DatabaseError({ message: `the database at ${placeOf(url)} ${complaint(error)}` }))
    ),
    Effect.provide(Reactivity.layer)
  )

/** Everything that can be told of a database; `settings` say what counts. Null: only what counts for every database. */
export const lookAtDatabase = Effect.fn("Database.lookAtDatabase")(function* (
  client: PgClient.PgClient,
  settings: Deciding | null
): Effect.fn.Return<ReadonlyArray<Finding>, SqlError> {
  const facts = yield* DatabaseFacts.first(client.unsafe(databaseFactsStatement))
  if (facts === null) return []
  const always = databaseFindings(facts)
  if (settings === null || profileOf(settings).name === "development") return always
  const role = settings.databaseUrl === undefined ? [] : [roleFinding(facts)]
  return [...always, ...role, switchesFinding(settings.webhookAllowInsecure, yield* liveCompanies(client))]
})

type Deciding = Pick<Settings["Service"], "baseUrl" | "databaseUrl" | "profile" | "webhookAllowInsecure">

const liveCompanies = Effect.fn("Database.liveCompanies")(function* (client: PgClient.PgClient) {
  const known = yield* client.unsafe(hasKeysStatement)
  const keys = known.length === 0 ? null : yield* LiveKeys.first(client.unsafe(liveKeysStatement))
  return keys?.companies ?? 0
})

const check = Effect.fn("Database.check")(function* (client: PgClient.PgClient, settings: Deciding | null) {
  const problems = (yield* lookAtDatabase(client, settings)).filter(({ isWell }) => !isWell)
  if (problems.length === 0) return
  return yield* new DatabaseError({
    message: problems.map(({ cure, says }) => `this database may not be used: ${says}; cure: ${cure}`).join("\n")
  })
})

export const placeOf = (url: Redacted.Redacted): string => {
  const parsed = new URL(Redacted.value(url))
  const { host, hostname, pathname } = parsed
  const named = databaseHostOf(parsed)
  return `${named === hostname ? host : named}${pathname}`
}

/** The SQLSTATE of a name that no database of the server has. */
const noSuchDatabase = "3D000"

export const complaint = (error: SqlError): string => {
  const cause = error.reason.cause
  const detail = cause instanceof Error ? cause.message : error.message
  if (sqlState(error) === noSuchDatabase) {
    return `cannot be reached: ${detail}; make it (createdb), or name another one in DATABASE_URL`
  }
  return isUnavailable(error) ? `cannot be reached: ${detail}` : `refuses what is needed to start: ${detail}`
}

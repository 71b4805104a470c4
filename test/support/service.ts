/**
 * The whole service inside this process, on a free port and a new database, with real HTTP and a real PostgreSQL. Tests
 * make companies and keys through the settings API, as an operator would.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import * as App from "../../src/runtime/App.ts"
import { Settings } from "../../src/runtime/Settings.ts"

export const operatorToken = "test-operator-token-000000000000000000000000"

export interface Service {
  readonly baseUrl: string
  readonly databaseUrl: string
  /** Queries the service's database directly. */
  readonly sql: SqlClient.SqlClient
  /** Runs an effect with the services that the application is made of. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof App.layer>>) => Promise<A>
  readonly query: <Row extends object>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>
  readonly stop: () => Promise<void>
}

/** A new database on the test run's server: its schema is up to date, and its tables are empty. */
export const freshDatabase = () => newDatabase(inject("migratedDatabase"))

/** A new database without a table, for tests of the migrations. */
export const databaseWithoutTables = () => newDatabase("template0")

const newDatabase = async (template: string): Promise<string> => {
  const url = new URL(inject("postgresUrl"))
  const name = `test_${randomBytes(6).toString("hex")}`
  await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.unsafe(`create database ${name} encoding 'UTF8' template ${template}`)
      ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url.href) })))
    )
  )
  url.pathname = `/${name}`
  return url.href
}

/** Starts a service. `environment` overrides the usual settings of tests. */
export const startService = async (environment: Readonly<Record<string, string>> = {}): Promise<Service> => {
  const databaseUrl = environment["DATABASE_URL"] ?? (await freshDatabase())
  const settings = Settings.layerOf({
    PORT: "0",
    // The role of tests makes databases, so it has more rights than production allows.
    PROFILE: "development",
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    OPERATOR_TOKEN: operatorToken,
    LOG_LEVEL: "error",
    ...environment
  })
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithScope(Layer.provide(App.layer, settings), scope))
  const sql = Context.get(context, SqlClient.SqlClient)
  return {
    baseUrl: HttpServer.formatAddress(Context.get(context, HttpServer.HttpServer).address),
    databaseUrl,
    sql,
    run: (effect) => Effect.runPromise(Effect.provide(effect, context)),
    query: <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
      Effect.runPromise(sql.unsafe<Row>(text, values)),
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

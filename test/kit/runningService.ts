/**
 * The whole service inside this process, on a free port, with real HTTP and a real PostgreSQL: on a database that is given,
 * or on one of its own. The first service of its own takes some seconds, each further one less than two.
 */
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import type { KeyService } from "../../src/actors/kernel/KeyWrapping.ts"
import * as App from "../../src/runtime/App.ts"
import { Settings } from "../../src/runtime/settings/Settings.ts"
import { freePort } from "../support/freePort.ts"
import { copyOf, startDatabases, type OwnDatabases } from "./ownDatabases.ts"

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

/** Starts a service on a database. `environment` overrides the usual settings of tests; `given`: what a service may do without. */
export const startServiceOn = async (
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
  given: Context.Context<KeyService> | Context.Context<never> = Context.empty()
): Promise<Service> => {
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
  const context = await Effect.runPromise(
    Layer.buildWithScope(Layer.provide(App.layer, [settings, Layer.succeedContext(given)]), scope)
  )
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

export interface OwnServices {
  readonly start: (environment?: Readonly<Record<string, string>>) => Promise<Service>
  /** Stops every service that still runs, and PostgreSQL. */
  readonly stop: () => Promise<void>
}

/** Services on databases of their own, for a program that no test run has given a PostgreSQL to. */
export const ownServices = (): OwnServices => {
  let databases: Promise<OwnDatabases> | undefined
  const running = new Set<Service>()
  return {
    start: async (environment) => {
      const { migrated, url } = await (databases ??= startDatabases())
      const database = await copyOf(url, migrated)
      // Mail with a link leaves only when the address is known before the start, and an advance of a clock waits for its mails.
      const service = await startServiceOn(database, { PORT: String(await freePort()), ...environment })
      running.add(service)
      return {
        ...service,
        stop: () => {
          running.delete(service)
          return service.stop()
        }
      }
    },
    stop: async () => {
      await Promise.all([...running].map((service) => service.stop()))
      running.clear()
      await (await databases)?.stop()
    }
  }
}

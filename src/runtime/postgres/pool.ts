/**
 * The connection pool: the client of `@effect/sql-pg` with a limit on everything that can wait. This file changes two
 * things of that client: the wait for a free connection ends, and a transaction whose connection breaks fails with that
 * error. The limits themselves are in `limits.ts`.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, isSqlError, SqlError, UnknownError } from "effect/sql/SqlError"
import { databaseLimits } from "./limits.ts"
import { acquireOperation } from "./sqlFailure.ts"

const { acquireTimeout, connectTimeout, keepAlive, poolSize } = databaseLimits

const inMillis = (duration: Duration.Duration): string => String(Duration.toMillis(duration))

/** Sent with every connection. PostgreSQL reads the times as milliseconds. */
const sessionSettings = {
  /**
   * PostgreSQL plans the batch statements once: planning costs more than running. A plan that is made while a table is
   * still empty must not read that table from end to end for ever. So PostgreSQL never reads a table past its indexes, and
   * the price of a step through an index keeps it from reading an index from end to end where a few probes are enough.
   */
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  /**
   * A bitmap is made whole before its first row: while the statistics are older than a hundred thousand due rows, the one who asks
   * for the first sixteen of them in the index's order waits for them all.
   */
  enable_bitmapscan: "off",
  cpu_index_tuple_cost: "1",
  /**
   * Where no index fits, PostgreSQL prices the forbidden read so high that it compiles the statement anew at each run: seconds for
   * rows that take microseconds.
   */
  jit: "off",
  statement_timeout: inMillis(databaseLimits.statementTimeout),
  lock_timeout: inMillis(databaseLimits.lockTimeout),
  idle_in_transaction_session_timeout: inMillis(databaseLimits.idleInTransactionTimeout)
}

export const pool = Effect.fn("Database.pool")(function* (
  url: Redacted.Redacted
): Effect.fn.Return<PgClient.PgClient, SqlError, Scope.Scope | Reactivity.Reactivity> {
  const base = yield* PgClient.make({
    url,
    maxConnections: poolSize,
    connectTimeout,
    keepAlive,
    applicationName: "journeys",
    startupParameters: sessionSettings,
    prepare: true,
    // Pipelining cannot be cancelled and blocks behind a slow statement.
    multiplex: false
  })
  const client = yield* SqlClient.make({
    acquirer: Effect.timeoutOrElse(base.reserve, { duration: acquireTimeout, orElse: () => noneFree }),
    compiler: PgClient.makeCompiler(),
    driver: "@effect/sql-pg",
    spanAttributes: [["db.system.name", "postgresql"]],
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
  return Object.assign(client, {
    [PgClient.TypeId]: PgClient.TypeId,
    config: base.config,
    json: base.json,
    listen: base.listen,
    notify: (channel: string, payload: string) => Effect.asVoid(client`SELECT pg_notify(${channel}, ${payload})`),
    withTransaction: failingWithItsConnection(client.withTransaction)
  })
})

const noneFree = Effect.fail(
  new SqlError({
    reason: new ConnectionError({
      cause: new Error(`none of ${poolSize} connections was free within ${Duration.format(acquireTimeout)}`),
      operation: acquireOperation
    })
  })
)

/** PostgreSQL answers `ROLLBACK` to the `COMMIT` of a transaction in which a statement failed: that is an error here. */
const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "ROLLBACK" ? Effect.fail(rolledBack) : Effect.void
  )

const rolledBack = new SqlError({
  reason: new UnknownError({ cause: new Error("COMMIT of a transaction that had failed"), operation: "commit" })
})

/**
 * When the connection breaks inside a transaction, the client cannot send the ROLLBACK either and makes a defect of that.
 * An unavailable database would then look like our own mistake. See the test "a transaction whose connection is cut".
 */
const failingWithItsConnection = (withTransaction: SqlClient.SqlClient["withTransaction"]) => {
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.catchDefect(withTransaction(effect), (defect) =>
      isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)
    )
}

/**
 * The connection pool: the client of `@effect/sql-pg`, with a limit on everything that can wait. Two things are changed
 * on the way: waiting for a free connection ends, and a transaction whose connection breaks fails with that error.
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
import { acquireOperation } from "./sqlFailure.ts"

/**
 * Few connections, well used: writes are gathered into batches, reads take a millisecond. More would only make the
 * database's own queue longer, and several nodes must fit under its max_connections. A listener keeps one for itself.
 */
export const poolSize = 10

/** How long a caller waits for a free connection before it hears that the database is unavailable. */
const acquireTimeout = Duration.seconds(3)
const connectTimeout = Duration.seconds(3)

/** When a silent connection is first asked whether the other end is still there: it may have gone without a word. */
const keepAlive = Duration.seconds(15)

/** Sent with every connection. Times in milliseconds, as PostgreSQL reads them. */
const sessionSettings = {
  /**
   * The batch statements are planned once: planning them anew costs more than running them. A plan made while a table
   * is still empty must not be one that reads it from end to end for ever, so a table is never read past its indexes,
   * nor an index from end to end where a few probes will do: a step through an index is made to look dear.
   */
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  cpu_index_tuple_cost: "1",
  /** The longest statement of ours takes well under a second; one that takes longer has lost its caller. */
  statement_timeout: "5000",
  /** Waiting longer than this for a row means that something holds it: better an answer, and a second attempt. */
  lock_timeout: "2000",
  /** A process frozen inside a transaction must not keep its locks. */
  idle_in_transaction_session_timeout: "10000"
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

/** PostgreSQL answers `ROLLBACK` to the `COMMIT` of a transaction in which a statement failed. */
const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "ROLLBACK" ? Effect.fail(rolledBack) : Effect.void
  )

const rolledBack = new SqlError({
  reason: new UnknownError({ cause: new Error("COMMIT of a transaction that had failed"), operation: "commit" })
})

/**
 * When the connection breaks inside a transaction, the ROLLBACK cannot be sent either, and the client makes a defect of
 * that: a database that is away would look like a mistake of ours. See "a transaction whose connection is cut".
 */
const failingWithItsConnection = (withTransaction: SqlClient.SqlClient["withTransaction"]) => {
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.catchDefect(withTransaction(effect), (defect) =>
      isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)
    )
}

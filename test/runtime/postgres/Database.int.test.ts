import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import * as Duration from "effect/Duration"
import * as Database from "../../../src/runtime/postgres/Database.ts"
import * as EmbeddedPostgres from "../../../src/runtime/embedded/EmbeddedPostgres.ts"
import { migrations } from "../../../src/runtime/postgres/migrations/all.ts"
import { databaseLimits } from "../../../src/runtime/postgres/limits.ts"
import { isRetryable, isUnavailable, outcomeUnknown } from "../../../src/runtime/postgres/sqlFailure.ts"
import { waitUntil } from "../../../src/runtime/embedded/waitUntil.ts"
import { Settings } from "../../../src/runtime/settings/Settings.ts"
import { databaseOf, temporaryFolder } from "./ServiceProcess.ts"

const timeout = 60_000

class Server extends Context.Service<Server, { readonly url: Redacted.Redacted }>()("test/Server") {
  static readonly layer = Layer.effect(Server, Effect.flatMap(temporaryFolder, EmbeddedPostgres.start))
}
const server = Layer.unwrap(Effect.map(Server, ({ url }) => Database.layerOf(url, []))).pipe(
  Layer.provideMerge(Server.layer)
)

const meaning = (error: SqlError) => ({
  unavailable: isUnavailable(error),
  unknown: outcomeUnknown(error),
  retryable: isRetryable(error)
})
const refused = { unavailable: false, unknown: false, retryable: false }
const away = { unavailable: true, unknown: false, retryable: false }
const lost = { unavailable: true, unknown: true, retryable: false }
const again = { unavailable: false, unknown: false, retryable: true }

const pidOfConnection = Effect.map(
  Effect.flatMap(SqlClient, (sql) => sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`),
  (rows) => rows[0]?.pid ?? 0
)

describe("Database", () => {
  it.effect(
    "is there, migrated, on an embedded PostgreSQL when no DATABASE_URL is set",
    () =>
      Effect.gen(function* () {
        const settings = Settings.layerOf({ DATA_DIR: yield* temporaryFolder })
        const rows = Effect.flatMap(SqlClient, (sql) => sql`SELECT name FROM migrations ORDER BY id`)
        assert.deepStrictEqual(
          yield* rows.pipe(Effect.provide(Database.layer.pipe(Layer.provide(settings)))),
          migrations.map(({ name }) => ({ name }))
        )
      }),
    timeout
  )

  it.effect("says in one line that the database cannot be reached", () =>
    Effect.gen(function* () {
      const url = Redacted.make("postgres://me:secret@127.0.0.1:1/journeys")
      const error = yield* Effect.flip(Effect.scoped(Layer.build(Database.layerOf(url, []))))
      assert.strictEqual(
        error.message,
        "the database at 127.0.0.1:1/journeys cannot be reached: connect ECONNREFUSED 127.0.0.1:1"
      )
    })
  )

  it.effect(
    "refuses one that would lose what was committed",
    () =>
      Effect.gen(function* () {
        const serverSettings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }
        const { url } = yield* EmbeddedPostgres.start(yield* temporaryFolder, { serverSettings })
        const error = yield* Effect.flip(Effect.scoped(Layer.build(Database.layerOf(url, []))))
        const lines = error.message.split("\n")
        assert.strictEqual(lines.length, 3)
        for (const [index, name] of ["fsync", "full_page_writes", "synchronous_commit"].entries()) {
          assert.isTrue(lines[index]?.startsWith(`this database may not be used: ${name} is off`), error.message)
        }
      }),
    timeout
  )

  layer(server, { timeout })("with a server", (it) => {
    it.effect("limits what a statement, a lock and an idle transaction may take", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "application_name"]
        const rows = yield* Effect.forEach(names, (name) => sql`SELECT current_setting(${name}) AS value`)
        assert.deepStrictEqual(
          rows.map(([row]) => row?.["value"]),
          ["5s", "2s", "10s", "journeys"]
        )
      })
    )

    it.effect("refuses a database of another encoding", () =>
      Effect.gen(function* () {
        const options = "TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'"
        const url = yield* databaseOf((yield* Server).url, "ascii", options)
        const error = yield* Effect.flip(Effect.scoped(Layer.build(Database.layerOf(url, []))))
        assert.include(
          error.message,
          "this database may not be used: its encoding is SQL_ASCII and must be UTF8; cure: "
        )
      })
    )

    it.effect("says in one line that the password is wrong, or that there is no such database", () =>
      Effect.gen(function* () {
        const { url } = yield* Server
        for (const [part, value, complaint] of [
          ["password", "guess", "password authentication failed"],
          [
            "pathname",
            "/nowhere",
            'database "nowhere" does not exist; make it (createdb), or name another one in DATABASE_URL'
          ]
        ] as const) {
          const wrong = new URL(Redacted.value(url))
          wrong[part] = value
          const layer = Database.layerOf(Redacted.make(wrong.href), [])
          const error = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
          assert.include(error.message, complaint)
          assert.notInclude(error.message, "guess")
        }
      })
    )

    const states: ReadonlyArray<readonly [state: string, expected: typeof refused]> = [
      ["08006", lost],
      ["53100", away],
      ["53300", away],
      ["57014", away],
      ["57P03", away],
      ["55P03", away],
      ["40001", again],
      ["40P01", again],
      ["40003", { unavailable: false, unknown: true, retryable: false }],
      ["23505", refused],
      ["23514", refused],
      ["22P02", refused],
      ["42601", refused],
      ["42501", refused],
      ["28000", refused],
      ["25006", away],
      ["XX000", refused]
    ]
    it.effect.each(states)("tells what a failure with SQLSTATE %s means", ([state, expected]) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const raise = `DO $$ BEGIN RAISE EXCEPTION 'as told' USING ERRCODE = '${state}'; END $$`
        assert.deepStrictEqual(meaning(yield* Effect.flip(sql.unsafe(raise))), expected)
      })
    )

    it.effect("holds a statement that takes too long for certainly rolled back", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const slow = sql.withTransaction(
          Effect.andThen(sql`SELECT set_config('statement_timeout', '20', true)`, sql`SELECT pg_sleep(5)`)
        )
        assert.deepStrictEqual(meaning(yield* Effect.flip(slow)), away)
      })
    )

    it.effect("ends the wait for a free connection", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* Effect.all(Array.from({ length: databaseLimits.poolSize }, () => sql.reserve))
        const waiting = yield* Effect.forkChild(Effect.flip(sql`SELECT 1`))
        yield* TestClock.adjust("3 seconds")
        assert.deepStrictEqual(meaning(yield* Fiber.join(waiting)), away)
      })
    )

    // The client's own transaction dies instead: its ROLLBACK cannot be sent, and it takes that for a defect.
    it.effect("fails a transaction whose connection is cut, and does not die of it", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const cut = Effect.flatMap(pidOfConnection, (pid) => sql`SELECT pg_terminate_backend(${pid}), pg_sleep(5)`)
        assert.deepStrictEqual(meaning(yield* Effect.flip(sql.withTransaction(cut))), lost)
      })
    )

    it.effect("refuses to commit a transaction in which a statement failed", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const error = yield* Effect.flip(sql.withTransaction(Effect.ignore(sql`SELECT 1 / 0`)))
        assert.deepStrictEqual(meaning(error), refused)
      })
    )

    it.effect("does not know what became of a statement whose connection broke, and heals by itself", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const connection = yield* sql.reserve
        const [[pid] = []] = yield* connection.executeValues("SELECT pg_backend_pid()", [])
        const statement = yield* Effect.forkChild(Effect.flip(connection.executeRaw("SELECT pg_sleep(5)", [])))
        const underWay = sql`SELECT 1 FROM pg_stat_activity WHERE pid = ${pid} AND wait_event = 'PgSleep'`
        assert.isTrue(
          yield* waitUntil(
            Effect.map(underWay, (rows) => rows.length === 1),
            Duration.seconds(5)
          )
        )
        const checkpointer = sql`SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`
        const before = yield* checkpointer
        process.kill(Number(pid), "SIGKILL")
        assert.deepStrictEqual(meaning(yield* Fiber.join(statement)), lost)
        // PostgreSQL restarts all its processes after such a death; an answer before that says nothing.
        const restarted = Effect.match(checkpointer, {
          onFailure: () => false,
          onSuccess: (now) => now[0]?.["pid"] !== before[0]?.["pid"]
        })
        assert.isTrue(yield* waitUntil(restarted, Duration.seconds(20)))
      })
    )
  })
})

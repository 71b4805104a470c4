/**
 * Brings the schema forward, never back. Each migration runs in one transaction with its row in `migrations`. Processes that
 * start together take turns by an advisory lock. A database that has a migration which this program does not know is
 * refused, because a newer version has written it. The migrations themselves are in `migrations/`.
 */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { databaseLimits } from "./limits.ts"
import { column, rowModel } from "./rows.ts"

export interface Migration {
  readonly id: number
  readonly name: string
  /** Any number of statements that may run inside a transaction. */
  readonly sql: string
}

/** The schema and this program do not belong together, or a migration fails. The message is one line for the operator. */
export class MigrationError extends Data.TaggedError("MigrationError")<{ readonly message: string }> {}

/** The number means nothing. It must be the same in every version of this program. */
const advisoryLock = 5_274_021_966

const MigrationRow = rowModel({ id: column.number, name: column.text })
const TableRow = rowModel({ isThere: column.bool })

const isTableThere = Effect.gen(function* () {
  const sql = yield* SqlClient
  const known = yield* TableRow.first(sql`SELECT to_regclass('migrations') IS NOT NULL AS is_there`)
  return known?.isThere === true
})

const knownRows = (sql: SqlClient) => sql`SELECT id, name FROM migrations ORDER BY id`

/** Answers with the names of the migrations that it applied. */
export const run = Effect.fn("Migrations.run")(function* (
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<ReadonlyArray<string>, MigrationError | SqlError, SqlClient> {
  const sql = yield* SqlClient
  const applied: Array<string> = []
  while (true) {
    const name = yield* sql.withTransaction(applyNext(migrations))
    if (name === undefined) return applied
    applied.push(name)
  }
})

const applyNext = Effect.fnUntraced(function* (migrations: ReadonlyArray<Migration>) {
  const sql = yield* SqlClient
  const limit = (name: string, duration: Duration.Duration) =>
    sql`SELECT set_config(${name}, ${String(Duration.toMillis(duration))}, true)`
  // A migration of a large table takes as long as it takes. Only the waiting has a limit.
  yield* limit("statement_timeout", Duration.zero)
  yield* limit("lock_timeout", databaseLimits.migrationTurnTimeout)
  yield* sql`SELECT pg_advisory_xact_lock(${advisoryLock}::bigint)`
  yield* limit("lock_timeout", databaseLimits.migrationLockTimeout)
  // A role that may not make tables starts the service all the same, as long as no migration is missing.
  if (!(yield* isTableThere)) {
    yield* sql`CREATE TABLE migrations (
      id integer PRIMARY KEY,
      name text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`
  }
  const rows = yield* MigrationRow.all(knownRows(sql))
  const problem = disagreement(migrations, rows)
  if (problem !== undefined) return yield* new MigrationError({ message: problem })

  const next = migrations.find(({ id }) => !rows.some((row) => row.id === id))
  if (next === undefined) return undefined
  yield* sql.unsafe(asOneStatement(next.sql)).unprepared.pipe(
    Effect.mapError(
      (error) =>
        new MigrationError({
          message: `migration ${next.id} (${next.name}) failed: ${causeMessage(error.reason.cause)}`
        })
    )
  )
  yield* sql`INSERT INTO migrations (id, name) VALUES (${next.id}, ${next.name})`
  return next.name
})

/** What a start would find: why it would refuse, or how many migrations it would make. Makes nothing. */
export const standOf = Effect.fn("Migrations.standOf")(function* (
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<{ readonly problem: string | undefined; readonly missing: number }, SqlError, SqlClient> {
  const sql = yield* SqlClient
  const rows = (yield* isTableThere) ? yield* MigrationRow.all(knownRows(sql)) : []
  return { problem: disagreement(migrations, rows), missing: migrations.length - rows.length }
})

/** Why these migrations and this database do not belong together; undefined when they do. */
const disagreement = (
  migrations: ReadonlyArray<Migration>,
  rows: ReadonlyArray<{ readonly id: number; readonly name: string }>
): string | undefined => {
  for (const [index, { id }] of migrations.entries()) {
    if (id !== index + 1) return `migration ${id} stands at place ${index + 1}: they are numbered from 1 without gaps`
  }
  for (const row of rows) {
    const known = migrations.find(({ id }) => id === row.id)
    if (known === undefined) {
      return `the database has migration ${row.id} (${row.name}), which this version does not know: run the newer version that made it`
    }
    if (known.name !== row.name) {
      return `migration ${row.id} is ${row.name} in the database and ${known.name} in this version: they are not of one line`
    }
  }
  return undefined
}

/**
 * The client speaks only the protocol for statements with parameters, which takes one statement at a time. EXECUTE of
 * PL/pgSQL takes a whole script, so nothing here has to cut the script up.
 */
const asOneStatement = (script: string): string => {
  let tag = "$migration$"
  while (script.includes(tag)) tag = `$${tag.slice(1, -1)}_$`
  return `DO $do_${tag.slice(1)} BEGIN EXECUTE ${tag}${script}${tag}; END $do_${tag.slice(1)}`
}

const causeMessage = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

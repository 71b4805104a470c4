/**
 * Group commit and group reading with SQL statements: which failures split a batch, how a statement that was rolled back
 * runs again, and how many readers of single rows share one statement. Gathering the batches is the work of `Batcher.ts`.
 */
import { Effect, Schedule } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { makeBatcher, type BatcherOptions } from "./Batcher.ts"
import { databaseLimits, type BatchLimits } from "./limits.ts"
import { uuidArray } from "./parameters.ts"
import type { RowModel } from "./rows.ts"
import { isRefusal, isRetryable } from "./sqlFailure.ts"
import { readTooLate, tooManyWaiting, withStatementTimeout } from "./timeouts.ts"

type SqlBatcherOptions<A, B, Late> = Omit<BatcherOptions<A, B, SqlError, Late>, "isRefusal" | "full">

/** A batcher whose batches are SQL statements. */
export const makeSqlBatcher = <A, B, Late = never>(options: SqlBatcherOptions<A, B, Late>) =>
  makeBatcher({ ...options, isRefusal, full: tooManyWaiting })

/** The same for callers who read. */
export const makeSqlReader = <A, B>(options: Omit<SqlBatcherOptions<A, B, SqlError>, "late">) =>
  makeSqlBatcher({ ...options, late: readTooLate })

const rollbackRetries = Schedule.upTo(Schedule.exponential(databaseLimits.firstRollbackRetry), {
  times: databaseLimits.rollbackRetries
})

/** A deadlock or a serialization failure is a certain rollback: the same statement simply runs again. */
export const withRollbackRetries = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  Effect.retry(withStatementTimeout(statement), { schedule: rollbackRetries, while: isRetryable })

interface Lookup<A> {
  readonly name: string
  readonly limits: BatchLimits
  /** Takes the ids as its only parameter, `$1::uuid[]`. */
  readonly statement: string
  readonly model: RowModel<A>
  readonly idOf: (row: A) => string
  /** The journey that an id is about, if it is about one. */
  readonly journeyOf?: (id: string) => string
}

/** Reads single rows by id: one statement reads for all callers that wait, and each hears its own row or null. */
export const makeLookup = <A>(
  sql: SqlClient.SqlClient,
  { idOf, limits, model, name, statement, ...journeyOf }: Lookup<A>
) =>
  makeSqlReader({
    ...limits,
    ...journeyOf,
    name,
    run: (ids: ReadonlyArray<string>) =>
      Effect.map(withStatementTimeout(model.all(sql.unsafe(statement, [uuidArray(ids)]))), (rows) => {
        const byId = new Map(rows.map((row) => [idOf(row), row]))
        return ids.map((id) => byId.get(id) ?? null)
      })
  })

/**
 * The clock of the database, and how far it is ahead of this machine's. A look takes its time: only what is surely apart, however long
 * the look took, counts. How far apart is too far is said by `databaseLimits.mostClockSkew`.
 */
import { Clock, Effect } from "effect"

/** The time of the database's clock in epoch milliseconds, as a column of a statement. It goes on within a transaction. */
export const databaseMillis = "(extract(epoch from clock_timestamp()) * 1000)::float8"

/**
 * The row of a look that reads `databaseMillis` as `millis`, with `ahead`: by how many milliseconds the database's clock is surely ahead of
 * this machine's. Negative: behind.
 */
export const withClockAhead = <Row extends { readonly millis: number }, E, R>(look: Effect.Effect<Row | null, E, R>) =>
  Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    const row = yield* look
    const after = yield* Clock.currentTimeMillis
    if (row === null) return null
    return { ...row, ahead: Math.max(0, row.millis - after) + Math.min(0, row.millis - before) }
  })

/**
 * How a store runs its statements: within a time, and with the failures that a caller can act on. `StoreUnavailable` means
 * that nothing was written, `CommitUnknown` that nobody knows. Every other failure is our own mistake and a defect. What a
 * `SqlError` means is decided in `sqlFailure.ts`.
 */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { retryUntilKnown } from "../../actors/kernel/commitOutcome.ts"
import { CommitUnknown, StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { noteTrouble } from "./databaseTrouble.ts"
import { isRetryable, isUnavailable, outcomeUnknown } from "./sqlFailure.ts"
import { abandonable, withReadTimeout, withStatementTimeout } from "./timeouts.ts"

/** Reads for one caller. */
export const storeRead = <A>(
  reading: Effect.Effect<A, SqlError | StoreUnavailable>
): Effect.Effect<A, StoreUnavailable> => Effect.catchTag(withReadTimeout(abandonable(reading)), "SqlError", readFailure)

/** Reads through a batcher, whose statement serves other callers as well, and which answers in time by itself. */
export const batchedRead = <A>(reading: Effect.Effect<A, SqlError>): Effect.Effect<A, StoreUnavailable> =>
  reading.pipe(Effect.catch(readFailure))

/** Writes for one caller. */
export const storeWrite = <A>(
  statement: Effect.Effect<A, SqlError | StoreUnavailable>
): Effect.Effect<A, StoreUnavailable | CommitUnknown> => batchedWrite(withStatementTimeout(statement))

/** Writes through a batcher, whose statement has the time-out itself. */
export const batchedWrite = <A>(
  writing: Effect.Effect<A, SqlError | StoreUnavailable>
): Effect.Effect<A, StoreUnavailable | CommitUnknown> => Effect.catchTag(writing, "SqlError", writeFailure)

/** Writes for one caller, again where the outcome is unknown: `CommitUnknown` means that it was not known in time. `again` is as in `retryUntilKnown`. */
export const knownWrite = <A>(
  statement: Effect.Effect<A, SqlError | StoreUnavailable>,
  again: Effect.Effect<A, SqlError | StoreUnavailable> = statement
): Effect.Effect<A, StoreUnavailable | CommitUnknown> =>
  Effect.catchTag(retryUntilKnown(storeWrite(statement), storeWrite(again)), "OutcomeUnknown", (cause) =>
    Effect.fail(new CommitUnknown({ cause }))
  )

/** For a write that its caller may simply ask for again: an unknown outcome is reported like an unavailable store. */
export const unavailableIfUnknown = <A>(
  write: Effect.Effect<A, StoreUnavailable | CommitUnknown>
): Effect.Effect<A, StoreUnavailable> =>
  Effect.catchTag(write, "CommitUnknown", ({ cause }) => Effect.fail(new StoreUnavailable({ cause })))

/** Writes what its caller may simply write again. */
export const repeatableWrite = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, StoreUnavailable> =>
  unavailableIfUnknown(storeWrite(statement))

/** The same through a batcher, whose statement has the time-out itself. */
export const repeatableBatchedWrite = <A>(writing: Effect.Effect<A, SqlError>): Effect.Effect<A, StoreUnavailable> =>
  unavailableIfUnknown(batchedWrite(writing))

const readFailure = (error: SqlError): Effect.Effect<never, StoreUnavailable> =>
  isUnavailable(error) || isRetryable(error)
    ? Effect.andThen(noteTrouble(error), Effect.fail(new StoreUnavailable({ cause: error })))
    : Effect.die(error)

export const writeFailure = (error: SqlError): Effect.Effect<never, StoreUnavailable | CommitUnknown> =>
  outcomeUnknown(error)
    ? Effect.andThen(noteTrouble(error), Effect.fail(new CommitUnknown({ cause: error })))
    : readFailure(error)

/** What a failed statement of a store means to its caller, in the two kinds a caller can act on; the rest is a defect. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { CommitUnknown, StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { abandonable, answeredInTime } from "./timeouts.ts"
import { isRetryable, isUnavailable, outcomeUnknown } from "./sqlFailure.ts"

/** Certainly nothing was written (`StoreUnavailable`), nobody knows (`CommitUnknown`), or our own mistake. */
export const writeFailure = (error: SqlError): Effect.Effect<never, StoreUnavailable | CommitUnknown> => {
  if (outcomeUnknown(error)) return Effect.fail(new CommitUnknown({ cause: error }))
  if (isUnavailable(error) || isRetryable(error)) return Effect.fail(new StoreUnavailable({ cause: error }))
  return Effect.die(error)
}

export const readFailure = (error: SqlError): Effect.Effect<never, StoreUnavailable> =>
  isUnavailable(error) || isRetryable(error) ? Effect.fail(new StoreUnavailable({ cause: error })) : Effect.die(error)

/** A reading that others share: who waits for it hears in time. */
export const readInTime = <A>(reading: Effect.Effect<A, SqlError>): Effect.Effect<A, StoreUnavailable> =>
  Effect.catchTag(answeredInTime(reading), "SqlError", readFailure)

/** A reading of one caller's own, within the time a caller waits. */
export const answered = <A>(reading: Effect.Effect<A, SqlError>): Effect.Effect<A, StoreUnavailable> =>
  readInTime(abandonable(reading))

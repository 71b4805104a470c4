/** How a customer's writes end: done, or "later". An unknown outcome is "later" too, for all of them may be repeated. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { endingInTime } from "../postgres/timeouts.ts"
import { writeFailure } from "../postgres/storeFailure.ts"

export const inTimeOrLater = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, StoreUnavailable> =>
  endingInTime(statement).pipe(
    Effect.catch(writeFailure),
    Effect.catchTag("CommitUnknown", ({ cause }) => Effect.fail(new StoreUnavailable({ cause })))
  )

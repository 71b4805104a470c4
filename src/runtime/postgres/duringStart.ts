/** Says what a statement that fails during the start means: the database went away, or the mistake is ours. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseError } from "./Database.ts"
import { isUnavailable } from "./sqlFailure.ts"

export const duringStart = (error: SqlError): Effect.Effect<never, DatabaseError> =>
  isUnavailable(error)
    ? Effect.fail(new DatabaseError({ message: "the database went away during the start; try again" }))
    : Effect.die(error)

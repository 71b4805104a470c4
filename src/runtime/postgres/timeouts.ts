/**
 * How long anybody waits for PostgreSQL to answer. The server itself ends a slow statement, and `pool.ts` ends the wait
 * for a connection. The time-outs here are for a server that says nothing at all: it is frozen, or its network is gone.
 */
import { Duration, Effect, Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { databaseLimits } from "./limits.ts"
import { acquireOperation } from "./sqlFailure.ts"

const connectionError = (operation: string, message: string) =>
  new SqlError({ reason: new ConnectionError({ cause: new Error(message), operation }) })

/** Ends a statement that gets no answer. Nobody knows then whether the statement took effect. */
export const withStatementTimeout = <A, E>(statement: Effect.Effect<A, E>): Effect.Effect<A, E | SqlError> =>
  Effect.timeoutOrElse(statement, {
    duration: databaseLimits.silenceTimeout,
    orElse: () =>
      Effect.fail(
        connectionError("execute", `the server said nothing for ${Duration.format(databaseLimits.silenceTimeout)}`)
      )
  })

/** Answers a reader in time. The reading must be one that can be left at once: see `abandonable`. */
export const withReadTimeout = <A, E>(reading: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
  Effect.timeoutOrElse(reading, {
    duration: databaseLimits.readTimeout,
    orElse: () =>
      Effect.fail(new StoreUnavailable({ cause: `no answer within ${Duration.format(databaseLimits.readTimeout)}` }))
  })

/**
 * A statement whose caller can leave at once. The statement goes on in a fiber of its own, because a silent server takes
 * seconds to cancel it.
 */
export const abandonable = <A, E>(statement: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.forkDetach(statement), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () => Effect.sync(() => fiber.interruptUnsafe()))
  )

/** What `withReadTimeout` says, said by a batcher. The caller writes nothing, so nothing is uncertain. */
export const readTooLate = (): SqlError =>
  connectionError(acquireOperation, `no answer within ${Duration.format(databaseLimits.readTimeout)}`)

/** Too many statements wait already. This one was certainly never sent. */
export const tooManyWaiting = (): SqlError => connectionError(acquireOperation, "too many statements wait already")

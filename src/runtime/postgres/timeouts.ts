/**
 * How long anybody waits for PostgreSQL to say something. A slow statement the server ends by itself and a connection
 * that cannot be had ends in `pool.ts`; these limits are for a server that says nothing at all, frozen or behind a
 * network that swallows everything.
 */
import { Effect, Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { acquireOperation } from "./sqlFailure.ts"

/** A caller who reads hears "later" after this long. */
const readWithin = "3 seconds"

/** A statement is given up a little after the server would have ended it, so that what waits behind it goes on. */
const statementWithin = "6 seconds"

const complaint = (operation: string, message: string) =>
  new SqlError({ reason: new ConnectionError({ cause: new Error(message), operation }) })

/** A statement that ends. Whether it took effect nobody knows. */
export const endingInTime = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  Effect.timeoutOrElse(statement, {
    duration: statementWithin,
    orElse: () => Effect.fail(complaint("execute", `the server said nothing for ${statementWithin}`))
  })

/** A reading that is answered in time. Its caller must be able to stop waiting at once: see `abandonable`. */
export const answeredInTime = <A, E>(reading: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
  Effect.timeoutOrElse(reading, {
    duration: readWithin,
    orElse: () => Effect.fail(new StoreUnavailable({ cause: `no answer within ${readWithin}` }))
  })

/** A statement whose caller may leave at once: having it cancelled at the server takes seconds when that is silent. */
export const abandonable = <A, E>(statement: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.forkDetach(statement), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () => Effect.sync(() => fiber.interruptUnsafe()))
  )

/** Too much waits already: certainly never sent. */
export const tooManyWaiting = (): SqlError => complaint(acquireOperation, "too many statements wait already")

/**
 * One attempt at a claimed item, and the record of what became of it. A stop of the node ends the attempt, but not the
 * first record of an attempt that was made. What is attempted, and how it is recorded, is the caller's business.
 */
import { Effect, type Schedule } from "effect"

export const recordOutcome = <E>(options: {
  /** Makes the attempt; the result is the record to write. */
  readonly attempt: Effect.Effect<Effect.Effect<void, E>>
  /** The attempt was cut off: the item is due again at once. */
  readonly giveBack: Effect.Effect<void, unknown>
  /** When a record that failed is written again. */
  readonly recordAgain: Schedule.Schedule<unknown>
  /** The record was never written: the claim ends and the item is attempted again. */
  readonly onLost: (error: E) => Effect.Effect<void>
}): Effect.Effect<void> =>
  Effect.uninterruptibleMask((restore) =>
    restore(options.attempt).pipe(
      Effect.onInterrupt(() => Effect.ignore(options.giveBack)),
      Effect.flatMap((record) => record.pipe(Effect.catch(() => restore(Effect.retry(record, options.recordAgain))))),
      Effect.catch(options.onLost)
    )
  )

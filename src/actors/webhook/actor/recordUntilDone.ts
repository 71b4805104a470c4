/** Records attempts, however long the database is away: what was sent must not be sent again for want of a line in the log. */
import { Effect } from "effect"
import type { AttemptOutcome, DeliveryStore } from "./DeliveryStore.ts"
import { recordAgainMillis } from "./supervision.ts"

/** The recorder of one endpoint's actor. It complains once, until something is recorded again. */
export const recordUntilDone = (store: DeliveryStore["Service"], endpointId: string) => {
  let isTold = false
  const complaint = Effect.suspend(() => {
    if (isTold) return Effect.void
    isTold = true
    return Effect.logWarning("Attempts cannot be recorded; it is tried again", { endpointId })
  })
  return (outcomes: ReadonlyArray<AttemptOutcome>): Effect.Effect<void> => {
    const trying: Effect.Effect<void> = store.record(outcomes).pipe(
      Effect.tap(() => Effect.sync(() => void (isTold = false))),
      Effect.catchCause((cause) =>
        complaint.pipe(
          Effect.andThen(Effect.logDebug("Attempts could not be recorded", { endpointId }, cause)),
          Effect.andThen(Effect.sleep(recordAgainMillis)),
          Effect.andThen(Effect.suspend(() => trying))
        )
      )
    )
    return trying
  }
}

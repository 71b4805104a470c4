/** Records attempts, however long the database is away: what was sent must not be sent again for want of a line in the log. */
import { Effect } from "effect"
import type { AttemptOutcome, DeliveryStore } from "./DeliveryStore.ts"
import { recordAgainMillis } from "./supervision.ts"

export const recordUntilDone = (
  store: DeliveryStore["Service"],
  endpointId: string,
  outcomes: ReadonlyArray<AttemptOutcome>
): Effect.Effect<void> => {
  const trying = (isFirst: boolean): Effect.Effect<void> =>
    Effect.catchCause(store.record(outcomes), (cause) =>
      (isFirst ? Effect.logError("Attempts cannot be recorded yet", { endpointId }, cause) : Effect.void).pipe(
        Effect.andThen(Effect.sleep(recordAgainMillis)),
        Effect.andThen(Effect.suspend(() => trying(false)))
      )
    )
  return trying(true)
}

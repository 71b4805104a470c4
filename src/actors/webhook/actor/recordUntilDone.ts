/**
 * Records attempts, however long the database is away: an attempt without its line in the log would be made again. What an
 * attempt amounts to is decided in `rules/`.
 */
import { Effect } from "effect"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import type { WebhookAttemptOutcome } from "../rules/attemptOutcome.ts"
import type { WebhookDeliveryStore } from "./WebhookDeliveryStore.ts"
import type { EndpointId } from "../../../schema/ids.ts"

/** The recorder of one endpoint's actor. It warns once, and again only after something was recorded. */
export const recordUntilDone = (store: WebhookDeliveryStore["Service"], endpointId: EndpointId) => {
  let hasWarned = false
  const warnOnce = Effect.suspend(() => {
    if (hasWarned) return Effect.void
    hasWarned = true
    return Effect.logWarning("Attempts cannot be recorded; it is tried again", { endpointId })
  })
  return (outcomes: ReadonlyArray<WebhookAttemptOutcome>): Effect.Effect<void> => {
    const attempt: Effect.Effect<void> = store.record(outcomes).pipe(
      Effect.tap(() => Effect.sync(() => void (hasWarned = false))),
      Effect.catchCause((cause) =>
        warnOnce.pipe(
          Effect.andThen(Effect.logDebug("Attempts could not be recorded", { endpointId }, cause)),
          Effect.andThen(Effect.sleep(webhookLimits.recordRetryDelay)),
          Effect.andThen(Effect.suspend(() => attempt))
        )
      )
    )
    return attempt
  }
}

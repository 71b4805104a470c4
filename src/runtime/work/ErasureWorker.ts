/**
 * Goes on with erasures that were begun and not finished: after a crash, or because a start or an upload may still have
 * been writing when the customer's key was deleted. One node does it at a time.
 */
import { Effect, Layer } from "effect"
import { CustomerErasure } from "../../actors/erasure/CustomerErasure.ts"
import { startDueWork } from "../../actors/kernel/DueWork.ts"
import { Leadership } from "../../actors/kernel/Leadership.ts"
import { erasureLimits } from "./limits.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { resume, unfinished } = yield* CustomerErasure
    yield* startDueWork({
      name: "Erasures",
      ...erasureLimits,
      leadership: (yield* Leadership).of("erasures"),
      look: ({ most, now }) => unfinished(now, most),
      keyOf: ({ companyId, customerId }) => `${companyId} ${customerId}`,
      run: resume
    })
  })
)

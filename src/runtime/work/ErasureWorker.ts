/**
 * Goes on with erasures that were begun and not finished: after a crash, or because what was being written when the key
 * was deleted is looked for once more. One node does it at a time.
 */
import { Effect, Layer, Schedule } from "effect"
import { CustomerErasure } from "../../actors/erasure/CustomerErasure.ts"
import { pollStatusOf } from "../../actors/kernel/PollStatus.ts"
import { isLeader, Leadership } from "../../actors/kernel/Leadership.ts"

const lookEvery = "5 seconds"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { goOn } = yield* CustomerErasure
    const leadership = (yield* Leadership).of("erasures")
    const pollStatus = pollStatusOf("Erasures")
    const look = Effect.gen(function* () {
      if (!isLeader(yield* leadership.role)) return
      yield* goOn
      yield* pollStatus.ok
    }).pipe(
      // Whatever it was, the next look must come.
      Effect.catchCause((cause) => Effect.andThen(pollStatus.failed(cause), leadership.stepDown))
    )
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(lookEvery)))
  })
)

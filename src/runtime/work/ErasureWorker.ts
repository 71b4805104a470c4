/**
 * Goes on with erasures that were begun and not finished: after a crash, or because what was being written when the key
 * was deleted is looked for once more. One node does it at a time.
 */
import { Effect, Layer, Schedule } from "effect"
import { CustomerErasure } from "../../actors/erasure/CustomerErasure.ts"
import { pollStatusOf } from "../../actors/kernel/PollStatus.ts"
import { Lookout } from "../cluster/MemoryLeadership.ts"

const lookEvery = "5 seconds"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { goOn } = yield* CustomerErasure
    const watch = (yield* Lookout).over("erasures")
    const sighting = pollStatusOf("Erasures")
    const look = Effect.gen(function* () {
      if ((yield* watch.turn) === "Others") return
      yield* goOn
      yield* sighting.clear
    }).pipe(
      // Whatever it was, the next look must come.
      Effect.catchCause((cause) => Effect.andThen(sighting.blind(cause), watch.pass))
    )
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(lookEvery)))
  })
)

/**
 * Whether this node was told to stop. The answer is right from the first moment of a stop, while requests under way are still
 * answered. The limits of the stop itself are enforced in `ending.ts`.
 */
import { Context, Effect, Layer } from "effect"
import { Settings } from "../../settings/Settings.ts"
import { stopLimits } from "./limits.ts"

export class Stopping extends Context.Service<Stopping, { isStopping: boolean }>()("journeys/runtime/Stopping") {}

export const layer = Layer.sync(Stopping, () => ({ isStopping: false }))

/** Must be built last of all, so that it ends first: before the server stops listening. */
export const markedFirst = Layer.effectDiscard(
  Effect.gen(function* () {
    const stopping = yield* Stopping
    const { redisUrl } = yield* Settings
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        stopping.isStopping = true
        return redisUrl === undefined ? Effect.void : Effect.sleep(stopLimits.lettingGo)
      })
    )
  })
)

/** Whether this node was told to stop. It is known from the first moment on, while requests under way are still answered. */
import { Context, Effect, Layer } from "effect"
import { Settings } from "../../Settings.ts"

/**
 * How long a node of several goes on taking requests after `/health/ready` has begun to say no: until load balancers have
 * seen it. One that closed its door at once would reset the connections that were just being made.
 */
const lettingGo = "2 seconds"

export class Stopping extends Context.Service<Stopping, { isStopping: boolean }>()("journeys/runtime/Stopping") {}

export const layer = Layer.sync(Stopping, () => ({ isStopping: false }))

/** To be built last of all, so that it ends first: before the server stops listening. */
export const toldFirst = Layer.effectDiscard(
  Effect.gen(function* () {
    const stopping = yield* Stopping
    const { redisUrl } = yield* Settings
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        stopping.isStopping = true
        return redisUrl === undefined ? Effect.void : Effect.sleep(lettingGo)
      })
    )
  })
)

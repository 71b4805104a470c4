/** Whether this node was told to stop. It is known from the first moment on, while requests under way are still answered. */
import { Context, Effect, Layer } from "effect"

export class Stopping extends Context.Service<Stopping, { isStopping: boolean }>()("journeys/runtime/Stopping") {}

export const layer = Layer.sync(Stopping, () => ({ isStopping: false }))

/** To be built last of all, so that it ends first: before the server stops listening. */
export const toldFirst = Layer.effectDiscard(
  Effect.flatMap(Stopping, (stopping) =>
    Effect.addFinalizer(() =>
      Effect.sync(() => {
        stopping.isStopping = true
      })
    )
  )
)

/** Leadership for one node, which leads all work because there is no other node. */
import { Effect, Layer } from "effect"
import { Leadership } from "../../../actors/kernel/Leadership.ts"

export const layer: Layer.Layer<Leadership> = Layer.succeed(Leadership, {
  of: () => ({ role: Effect.succeed("ALONE"), stepDown: Effect.void })
})

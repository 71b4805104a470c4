/**
 * Which node looks at the tables for what is due, so that not every node asks the same question twice a second and wakes
 * the same journeys. It saves work and decides nothing: two nodes that look at once do no harm.
 */
import { Context, Effect, Layer } from "effect"

/** `Alone`: nobody else is known to look, so this node sees to everything itself. */
export type Turn = "Alone" | "Mine" | "Others"

export interface Watch {
  /** Asked before each look. */
  readonly turn: Effect.Effect<Turn>
  /** This node cannot see: the turn is somebody else's for a while. */
  readonly pass: Effect.Effect<void>
}

export class Lookout extends Context.Service<
  Lookout,
  { readonly over: (what: "journeys" | "deliveries" | "erasures" | "retention") => Watch }
>()("journeys/runtime/Lookout") {}

export const layerAlone: Layer.Layer<Lookout> = Layer.succeed(Lookout, {
  over: () => ({ turn: Effect.succeed("Alone"), pass: Effect.void })
})

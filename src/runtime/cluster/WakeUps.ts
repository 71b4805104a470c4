/**
 * What nodes tell each other about journeys to be woken. It is a memory in front of the column `wake_at` and may lose
 * anything at any time: `PostgresAlarms.ts` looks there for what was lost.
 */
import { Context, Effect, Layer } from "effect"

export class WakeUps extends Context.Service<
  WakeUps,
  {
    /** A journey is to be woken at this time, in epoch milliseconds, and not when it was told before. Neither waits nor fails. */
    readonly tell: (journeyId: string, at: number) => Effect.Effect<void>
    /** These are overdue: true when some node will wake them, false when whoever asks must. */
    readonly remind: (journeyIds: ReadonlyArray<string>) => Effect.Effect<boolean>
    /** Wakes what becomes due, for ever: each journey on one node. */
    readonly work: (wake: (journeyId: string) => Effect.Effect<void>) => Effect.Effect<never>
  }
>()("journeys/runtime/WakeUps") {}

/** One node: its own look at the rows is soon enough. */
export const layerAlone: Layer.Layer<WakeUps> = Layer.succeed(WakeUps, {
  tell: () => Effect.void,
  remind: () => Effect.succeed(false),
  work: () => Effect.never
})

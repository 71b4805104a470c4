/**
 * What nodes announce to each other about journeys that must be woken. The announcements are a memory in front of the
 * column `wake_at` and may be lost at any time: `work/JourneyAlarms.ts` finds in the column what was lost.
 */
import { Context, Effect, Layer } from "effect"
import type { JourneyId } from "../../../schema/ids.ts"

export class WakeUps extends Context.Service<
  WakeUps,
  {
    /**
     * The journey must be woken at this time, in epoch milliseconds, and not at the time that was announced before. Neither
     * waits nor fails.
     */
    readonly announce: (journeyId: JourneyId, at: number) => Effect.Effect<void>
    /** These are overdue: true when some node will wake them, false when the caller must. */
    readonly remind: (journeyIds: ReadonlyArray<string>) => Effect.Effect<boolean>
    /** Wakes what becomes due, for ever: each journey on one node. */
    readonly work: (wake: (journeyId: JourneyId) => Effect.Effect<void>) => Effect.Effect<never>
  }
>()("journeys/runtime/WakeUps") {}

/** For one node: its own look at the rows is soon enough. */
export const layerOneNode: Layer.Layer<WakeUps> = Layer.succeed(WakeUps, {
  announce: () => Effect.void,
  remind: () => Effect.succeed(false),
  work: () => Effect.never
})

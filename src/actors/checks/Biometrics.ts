/**
 * The port that deletes everything of a journey that shows its customer's face: photos, selfies, portraits, videos, and what is
 * still being uploaded. Who may ask for it, and when, is the journey's decision (D7).
 */
import { Context, type Effect } from "effect"
import type { JourneyId } from "../../schema/ids.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

export class Biometrics extends Context.Service<
  Biometrics,
  {
    /**
     * Deletes what was given before `before`, in epoch milliseconds; null: whatever there is. Once it answers, nothing of that is left, and
     * nothing that was being written at that moment arrives later. A second call deletes what the first one left.
     */
    readonly delete: (
      journeyId: JourneyId,
      before: number | null
    ) => Effect.Effect<void, StoreUnavailable | CommitUnknown>
  }
>()("journeys/actors/Biometrics") {}

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
     * Once it answers, nothing is left, and nothing that was being written at that moment arrives later. A second call
     * deletes what the first one left.
     */
    readonly delete: (journeyId: JourneyId) => Effect.Effect<void, StoreUnavailable | CommitUnknown>
  }
>()("journeys/actors/Biometrics") {}

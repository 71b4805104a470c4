/**
 * The port to the face a handover video is compared with: the photo the caller sent with a finance sale, else the selfie
 * with which the customer verified their identity here (decision H3). A photo in clear: it lives as long as the work that needs it.
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export class ReferenceFace extends Context.Service<
  ReferenceFace,
  {
    /** Null: there is none, as when an outside provider verified the customer, or the customer was erased. */
    readonly of: (journeyId: string) => Effect.Effect<Uint8Array | null, StoreUnavailable>
  }
>()("journeys/actors/ReferenceFace") {}

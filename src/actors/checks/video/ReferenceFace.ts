/**
 * The port to the face with which a handover video is compared: the photo that the caller sent with a finance sale, else
 * the selfie with which the customer passed the built-in identity check, or the portrait that an outside provider sent
 * with its result (decision H3). The photo comes in the clear, so it may live only as long as the work that needs it.
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../../kernel/StoreError.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import type { NamedPhoto } from "./VideoFrames.ts"

export interface Reference extends NamedPhoto {
  readonly photo: Uint8Array
}

export class ReferenceFace extends Context.Service<
  ReferenceFace,
  {
    /** Null: there is no such photo, for example because an outside provider sent no portrait, or the customer was erased. */
    readonly of: (journeyId: JourneyId) => Effect.Effect<Reference | null, StoreUnavailable>
  }
>()("journeys/actors/ReferenceFace") {}

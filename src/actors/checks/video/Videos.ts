/**
 * The port to the finished handover videos. A video is kept sealed with the customer's key, one for each journey. `Uploads.ts`
 * takes its parts; what a video shows is judged elsewhere.
 */
import { Context, type Effect, type Stream } from "effect"
import type { JourneyId } from "../../../schema/ids.ts"
import type { HeadTurn } from "../../../schema/media/headTurns.ts"
import type { VideoKind } from "../../../schema/media/videoHeader.ts"
import type { StoreUnavailable } from "../../kernel/StoreError.ts"

export interface Video {
  readonly kind: VideoKind
  readonly bytes: number
  readonly content: Stream.Stream<Uint8Array, StoreUnavailable>
}

/** The finished video of a journey. */
export interface FinishedVideo extends Video {
  readonly id: string
  /** The turns of the head that it must show; none for a video that named no challenge. */
  readonly turnsAsked: ReadonlyArray<HeadTurn>
  /** The bytes from `from` up to `end`, which is not among them. */
  readonly part: (from: number, end: number) => Stream.Stream<Uint8Array, StoreUnavailable>
}

export class Videos extends Context.Service<
  Videos,
  {
    /** Null: the journey has none, or its customer was erased. */
    readonly read: (journeyId: JourneyId) => Effect.Effect<FinishedVideo | null, StoreUnavailable>
  }
>()("journeys/customer/Videos") {}

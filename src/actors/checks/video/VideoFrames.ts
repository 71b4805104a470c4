/**
 * The port to the frames of handover videos that were compared, kept sealed beside their video for the people who look at
 * it. The first look at a video without frames takes its frames. What frames say is judged by
 * `videoVerdict.ts`; who may look is decided elsewhere.
 */
import { Context, Data, type Effect } from "effect"
import type { JourneyId } from "../../../schema/ids.ts"
import type { HeadTurn, TurnsOutcome } from "../../../schema/media/headTurns.ts"
import type { FrameOutcome } from "../../../schema/review/CaseFile.ts"
import type { PictureName } from "../../../schema/review/Review.ts"
import type { StoreUnavailable } from "../../kernel/StoreError.ts"

/** Frames cannot be taken now: another video is being read, or reading took too long. */
export class FramesBusy extends Data.TaggedError("FramesBusy") {}

export interface SeenFrame {
  /** Milliseconds from the beginning of the video. */
  readonly at: number
  readonly jpeg: Uint8Array
  readonly outcome: FrameOutcome
  /** From 0 to 1; null where nothing was compared. */
  readonly similarity: number | null
  /** How far the head is turned (`headTurns.ts`), in a frame that was taken for its turns. */
  readonly turned?: number | null
}

/** What the frames say about the turns that were asked for. */
export interface MeasuredTurns {
  readonly outcome: TurnsOutcome
  readonly seen: ReadonlyArray<HeadTurn>
}

/** A photo is named together with the row that keeps it. */
export interface NamedPhoto {
  readonly name: PictureName
  readonly of: string
}

export class VideoFrames extends Context.Service<
  VideoFrames,
  {
    /** Keeps the frames of a video in place of those before. A video that is gone by now keeps none. */
    readonly keep: (
      videoId: string,
      frames: ReadonlyArray<SeenFrame>,
      /** What they were compared with; null where they were not. */
      reference: NamedPhoto | null,
      /** Null where turns were not looked for. */
      turns?: MeasuredTurns | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** A frame of the finished video, by its number from 1. Null: there is no such frame. */
    readonly open: (
      journeyId: JourneyId,
      number: number
    ) => Effect.Effect<Uint8Array | null, StoreUnavailable | FramesBusy>
  }
>()("journeys/actors/VideoFrames") {}

/**
 * The port to the store of handover videos. A customer uploads a video in parts, which may come in any order, again, and
 * after an interruption. A video is kept sealed with the customer's key, one for each journey. What a video shows is judged
 * elsewhere; whoever completes an upload tells the journey.
 */
import { Context, Data, type Effect, type Stream } from "effect"
import type { VideoKind } from "../../schema/media/videoHeader.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

/** The journey does not wait for a video: it has one, has ended, is unknown, or its customer was erased. */
export class VideoNotAwaited extends Data.TaggedError("VideoNotAwaited") {}

/** The journey has no such upload: a newer upload replaced it, it was too old, or it never existed. */
export class UploadGone extends Data.TaggedError("UploadGone") {}

/** Nothing of what was sent is kept. `rule` completes the sentence "A part ..." or "The video ...". */
export class VideoRefused extends Data.TaggedError("VideoRefused")<{
  readonly code:
    /** The upload cannot become a video: the customer must choose or record another one. */
    | "TOO_LARGE"
    | "TOO_LONG"
    | "UNSUPPORTED"
    | "UNREADABLE"
    /** Parts are missing: the sender sends them and completes the upload again. */
    | "INCOMPLETE"
    /** The part arrived damaged: the sender sends it again. */
    | "DAMAGED_CHUNK"
    /** The part breaks a rule of parts, or another part has its number. */
    | "WRONG_CHUNK"
  readonly rule: string
}> {}

/** An upload is always named together with its journey: an upload's id alone opens nothing. */
export interface UploadOf {
  readonly journeyId: string
  readonly uploadId: string
}

export interface Chunk {
  /** From 0. */
  readonly number: number
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes in hexadecimal, as the sender computed it. */
  readonly sha256: string
}

export interface UploadState {
  readonly isComplete: boolean
  /** The numbers of the parts that have arrived, ascending. */
  readonly chunks: ReadonlyArray<number>
  readonly bytes: number
}

/** The finished video of a journey. */
export interface Video {
  readonly kind: VideoKind
  readonly bytes: number
  readonly content: Stream.Stream<Uint8Array, StoreUnavailable>
}

type Uncertain = StoreUnavailable | CommitUnknown

export class Videos extends Context.Service<
  Videos,
  {
    /** Begins an upload and answers with its id. The upload that was open before is gone. */
    readonly begin: (journeyId: string) => Effect.Effect<string, VideoNotAwaited | Uncertain>
    /** Keeps a part. The same part a second time changes nothing. */
    readonly chunk: (upload: UploadOf, chunk: Chunk) => Effect.Effect<void, UploadGone | VideoRefused | Uncertain>
    readonly state: (upload: UploadOf) => Effect.Effect<UploadState, UploadGone | StoreUnavailable>
    /**
     * Makes an upload the journey's video, in place of the video before. A second call changes nothing. The sender says how
     * many parts the video has: only the sender knows of parts that did not arrive.
     */
    readonly complete: (
      upload: UploadOf,
      chunks: number
    ) => Effect.Effect<void, UploadGone | VideoNotAwaited | VideoRefused | Uncertain>
    /** The finished video. Null: the journey has none, or its customer was erased. */
    readonly read: (journeyId: string) => Effect.Effect<Video | null, StoreUnavailable>
    /**
     * Removes up to `atMost` uploads that were begun before that time and not completed, and answers how many it removed.
     * A smaller number than `atMost` means that no more are left.
     */
    readonly removeUnfinished: (begunBefore: number, atMost: number) => Effect.Effect<number, Uncertain>
    /** Does the same for videos of journeys that ended longer ago than their company keeps videos. */
    readonly removeEnded: (now: number, atMost: number) => Effect.Effect<number, Uncertain>
  }
>()("journeys/customer/Videos") {}

/**
 * The port to the videos customers make of the handover: uploaded in parts that may come in any order, again, and after
 * an interruption; kept sealed with the customer's key; one a journey. What is seen in a video is judged elsewhere, and
 * that it has come is told to the journey by whoever completes it.
 */
import { Context, Data, Duration, type Effect, type Stream } from "effect"
import type { VideoKind } from "../../schema/media/videoHeader.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

/** An upload that was not completed is removed after this long, from its beginning. */
export const uploadOpenFor = Duration.hours(24)

/** The journey does not wait for a video: it has one, has ended, is unknown or its customer was erased. */
export class VideoNotAwaited extends Data.TaggedError("VideoNotAwaited") {}

/** There is no such upload of this journey: a newer one voided it, it was too old, or it never was. */
export class UploadGone extends Data.TaggedError("UploadGone") {}

/** Nothing was kept of what was sent. `rule` completes the sentence "A part ..." or "The video ...". */
export class VideoRefused extends Data.TaggedError("VideoRefused")<{
  readonly code:
    /** The upload cannot become a video: choose or record another one. */
    | "TOO_LARGE"
    | "TOO_LONG"
    | "UNSUPPORTED"
    | "UNREADABLE"
    /** Parts are missing: send them and complete again. */
    | "INCOMPLETE"
    /** The part arrived damaged: send it again. */
    | "DAMAGED_CHUNK"
    /** The part breaks a rule of parts, or another one has its number. */
    | "WRONG_CHUNK"
  readonly rule: string
}> {}

/** An upload is always named together with its journey: whoever may see the one may not see every other. */
export interface UploadOf {
  readonly journeyId: string
  readonly uploadId: string
}

export interface Chunk {
  /** From 0. */
  readonly number: number
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes, in hexadecimal, as their sender reckoned it. */
  readonly sha256: string
}

export interface UploadState {
  readonly isComplete: boolean
  /** The numbers that are there, ascending. */
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
    /** The id of a new upload. It voids the one that was open. */
    readonly begin: (journeyId: string) => Effect.Effect<string, VideoNotAwaited | Uncertain>
    /** Keeps a part. The same part again is kept already. */
    readonly chunk: (upload: UploadOf, chunk: Chunk) => Effect.Effect<void, UploadGone | VideoRefused | Uncertain>
    readonly state: (upload: UploadOf) => Effect.Effect<UploadState, UploadGone | StoreUnavailable>
    /**
     * Makes an upload of so many parts the journey's video, in place of the one before; done twice it is done once.
     * Parts of which the sender knows and that did not arrive are missed, which is why the number is theirs to say.
     */
    readonly complete: (
      upload: UploadOf,
      chunks: number
    ) => Effect.Effect<void, UploadGone | VideoNotAwaited | VideoRefused | Uncertain>
    /** The finished video, or null: there is none, or its customer was erased. */
    readonly read: (journeyId: string) => Effect.Effect<Video | null, StoreUnavailable>
    /** Removes some of the uploads that were not completed in time; how many. Fewer than asked for: no more are left. */
    readonly removeUnfinished: (begunBefore: number, atMost: number) => Effect.Effect<number, Uncertain>
    /** The same for videos of journeys that ended longer ago than their company keeps them. */
    readonly removeEnded: (now: number, atMost: number) => Effect.Effect<number, Uncertain>
  }
>()("journeys/customer/Videos") {}

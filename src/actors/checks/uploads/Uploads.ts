/**
 * The port to the uploads of customers: handover videos, and photos of the identity check. A customer uploads a file in parts, which
 * may come in any order, again, and after an interruption. Each part is kept sealed with the customer's key; a journey has one
 * finished upload of each medium. What a file shows is judged elsewhere; whoever completes a video tells the journey.
 */
import { Context, Data, type Effect } from "effect"
import type { JourneyId } from "../../../schema/ids.ts"
import type { CommitUnknown, OutcomeUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { Medium } from "./uploadRows.ts"

/** The journey does not ask for it: it has one, has ended, is unknown, or its customer was erased. */
export class UploadNotAwaited extends Data.TaggedError("UploadNotAwaited") {}

/** The journey has no such upload: a newer upload replaced it, it was too old, or it never existed. */
export class UploadGone extends Data.TaggedError("UploadGone") {}

/**
 * The video can be neither measured nor cleaned now, so it is not taken. What was sent is kept, and the upload can be completed
 * later. `reason` is a code for the log.
 */
export class UploadNotRead extends Data.TaggedError("UploadNotRead")<{ readonly reason: string }> {}

/** Nothing of what was sent is kept. `rule` completes the sentence "A part ..." or "The video ...". */
export class UploadRefused extends Data.TaggedError("UploadRefused")<{
  readonly code:
    /** The upload cannot become a video or photo: the customer must choose or make another one. */
    | "TOO_LARGE"
    | "TOO_LONG"
    | "UNSUPPORTED"
    | "UNREADABLE"
    /** The video names no challenge that the journey is asked for now: unknown, over, or used. */
    | "NO_CHALLENGE"
    /** The session, its journey, or its company, has uploaded as much today as it may. */
    | "OVER_BUDGET"
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
  readonly journeyId: JourneyId
  readonly medium: Medium
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

/** A write whose outcome is unknown is looked up: it is unknown still while the database stays away. */
type Failing = StoreUnavailable | OutcomeUnknown
type Uncertain = StoreUnavailable | CommitUnknown

export class Uploads extends Context.Service<
  Uploads,
  {
    /**
     * Begins an upload and answers with its id. The upload of this medium that was open before is gone. A video names the challenge
     * that its customer was shown (`VideoChallenges.ts`); one that names none shows no turns to anybody.
     */
    readonly begin: (
      journeyId: JourneyId,
      medium: Medium,
      challengeId?: string | null
    ) => Effect.Effect<string, UploadNotAwaited | UploadRefused | Failing>
    /** Keeps a part. The same part a second time changes nothing. */
    readonly chunk: (upload: UploadOf, chunk: Chunk) => Effect.Effect<void, UploadGone | UploadRefused | Failing>
    readonly state: (upload: UploadOf) => Effect.Effect<UploadState, UploadGone | StoreUnavailable>
    /**
     * Makes an upload the journey's video, or photo, in place of the one before. A second call changes nothing, and calls at the
     * same time have one answer. The sender says how many parts there are: only the sender knows of parts that did not arrive.
     *
     * A video is measured and cleaned first: what is kept has neither sound nor what the file says about itself, and what was sent
     * is deleted. A video that cannot be a video is deleted, too.
     */
    readonly complete: (
      upload: UploadOf,
      chunks: number
    ) => Effect.Effect<void, UploadGone | UploadNotAwaited | UploadNotRead | UploadRefused | Failing>
    /**
     * Removes up to `atMost` uploads that were begun before that time and not completed, and answers how many it removed.
     * A smaller number than `atMost` means that no more are left.
     */
    readonly removeUnfinished: (begunBefore: number, atMost: number) => Effect.Effect<number, Uncertain>
    /** Does the same for finished photos that were kept since before that time, for a check that was not made. */
    readonly removePhotos: (keptSince: number, atMost: number) => Effect.Effect<number, Uncertain>
  }
>()("journeys/customer/Uploads") {}

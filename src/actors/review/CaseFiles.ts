/**
 * The port to what is kept of a journey beside its state, opened with the customer's key for one answer: the start, the
 * confirmed address, the attempts at the check, uploads and photos. `caseFile.ts` puts it together; its endpoint writes every
 * read into the audit log.
 */
import { Context, type Effect } from "effect"
import type { AttemptId, JourneyId } from "../../schema/ids.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import type { HeadTurn, TurnsOutcome } from "../../schema/media/headTurns.ts"
import type { DeliveryAddress } from "../../schema/requests/deliveryAddress.ts"
import type { FrameOutcome } from "../../schema/review/CaseFile.ts"
import type { StoredStart } from "../../schema/start/storedStart.ts"
import type { NamedPhoto } from "../checks/video/VideoFrames.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

/** Times are epoch milliseconds. */
export interface KeptAttempt {
  readonly id: AttemptId
  readonly at: number
  /** Null while the photos are looked at. */
  readonly verdict: string | null
}

/** A line of the journal. */
export interface HeardMessage {
  readonly messageId: string
  readonly sender: string
  readonly message: JourneyMessage
  readonly at: number
}

export interface KeptUpload {
  readonly begunAt: number
  readonly completedAt: number | null
  readonly kind: string | null
  readonly seconds: number | null
  readonly bytes: number
}

/** `of` is an attempt's id, or the journey's for the caller's photo. */
export type KeptPicture = NamedPhoto

export interface KeptFrame {
  readonly number: number
  /** Milliseconds from the beginning of the video; null: not known before the frames are taken. */
  readonly at: number | null
  readonly outcome: FrameOutcome
  readonly similarity: number | null
  /** How far the head is turned, in a frame that was taken for its turns. */
  readonly turned: number | null
}

/** The turns of the head that the last video had to show. */
export interface KeptTurns {
  readonly asked: ReadonlyArray<HeadTurn>
  /** Null until they were looked for. */
  readonly seen: ReadonlyArray<HeadTurn> | null
  readonly outcome: TurnsOutcome | null
}

/** The photo that the last video was compared with, or would be. */
export interface KeptReference extends KeptPicture {
  /** Another photo has come since the frames were compared. */
  readonly replaced: boolean
}

export interface CaseFacts {
  /** Null when the customer was erased. */
  readonly start: StoredStart | null
  readonly address: { readonly value: DeliveryAddress; readonly at: number } | null
  readonly attempts: ReadonlyArray<KeptAttempt>
  /** What the identity check and the video check told the journey, and videos that arrived. */
  readonly heard: ReadonlyArray<HeardMessage>
  readonly uploads: ReadonlyArray<KeptUpload>
  /** Of the last video. */
  readonly frames: ReadonlyArray<KeptFrame>
  readonly reference: KeptReference | null
  /** Null: no video, or one that named no challenge. */
  readonly turns: KeptTurns | null
  readonly pictures: ReadonlyArray<KeptPicture>
  /** When photos and videos go; null while the journey runs. */
  readonly mediaKeptUntil: number | null
  /** When the customer is erased; null: only by hand, or while a journey of theirs runs. */
  readonly customerKeptUntil: number | null
  /** When a declined application is erased, or was; null: with the customer. */
  readonly applicationKeptUntil: number | null
}

export class CaseFiles extends Context.Service<
  CaseFiles,
  {
    readonly read: (journeyId: JourneyId) => Effect.Effect<CaseFacts, StoreUnavailable>
    /** The photo as JPEG, or null when it is not kept. */
    readonly picture: (journeyId: JourneyId, picture: KeptPicture) => Effect.Effect<Uint8Array | null, StoreUnavailable>
  }
>()("journeys/actors/CaseFiles") {}

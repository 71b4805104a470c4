/**
 * The port to the challenges in handover videos: the turns of the head that a customer is asked for, drawn anew for each video, so that no
 * photo and no film of another day shows them. A journey has one at a time. An upload names it; a finished video has used it up
 * (`Uploads.ts`).
 */
import { Context, type Effect } from "effect"
import type { JourneyId } from "../../../schema/ids.ts"
import type { HeadTurn } from "../../../schema/media/headTurns.ts"
import type { StoreUnavailable } from "../../kernel/StoreError.ts"
import type { UploadNotAwaited } from "../uploads/Uploads.ts"

export interface VideoChallenge {
  readonly id: string
  readonly turns: ReadonlyArray<HeadTurn>
}

export class VideoChallenges extends Context.Service<
  VideoChallenges,
  {
    /** The challenge of the next video. It is the same for a while, unless a video has used it: nobody chooses by asking again. */
    readonly ask: (journeyId: JourneyId) => Effect.Effect<VideoChallenge, UploadNotAwaited | StoreUnavailable>
  }
>()("journeys/actors/VideoChallenges") {}

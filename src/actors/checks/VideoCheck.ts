/**
 * The port that looks at the handover video: whether the person in it is the one of the reference photo. It does not
 * claim that a living person stood before the camera: a video of a photo or a screen is not told from one of a person.
 * What follows of an answer is the journey's own decision.
 */
import { Context, Data, type Effect } from "effect"
import type { VideoVerdict } from "./videoVerdict.ts"

/** The video could not be looked at now. `reason` is a code for the log. */
export class VideoCheckUnavailable extends Data.TaggedError("VideoCheckUnavailable")<{ readonly reason: string }> {}

export class VideoCheck extends Context.Service<
  VideoCheck,
  {
    /** UNCLEAR also when there is no video, no reference or nothing to be seen: a person decides. May be asked again. */
    readonly check: (journeyId: string) => Effect.Effect<VideoVerdict, VideoCheckUnavailable>
  }
>()("journeys/actors/VideoCheck") {}

/**
 * The port that looks at the handover video and says whether its person is the person of the reference photo. The check
 * does not claim that a living person stood before the camera: it cannot tell a video of a photo or a screen from a video
 * of a person. What follows from the verdict is the journey's decision.
 */
import { Context, Data, type Effect } from "effect"
import type { JourneyId } from "../../../schema/ids.ts"
import type { VideoJudgement } from "./videoVerdict.ts"

/** The video could not be looked at now. `reason` is a code for the log. */
export class VideoCheckUnavailable extends Data.TaggedError("VideoCheckUnavailable")<{ readonly reason: string }> {}

export class VideoCheck extends Context.Service<
  VideoCheck,
  {
    /**
     * UNCLEAR also when there is no video, no reference photo, or nothing to be seen: then a person decides. The check may
     * be repeated.
     */
    readonly check: (journeyId: JourneyId) => Effect.Effect<VideoJudgement, VideoCheckUnavailable>
  }
>()("journeys/actors/VideoCheck") {}

/**
 * The effect CHECK_VIDEO: one attempt to compare the handover video with the reference photo. The attempt answers with the
 * message that tells the journey the verdict, and fails when the video could not be looked at now.
 */
import { Effect } from "effect"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { VideoCheck } from "../checks/VideoCheck.ts"
import type { VideoVerdict } from "../checks/videoVerdict.ts"
import { EffectFailed } from "../journey/actor/Effects.ts"

const messageOf: Readonly<Record<VideoVerdict, JourneyMessage>> = {
  MATCH: { _tag: "VideoMatched" },
  UNCLEAR: { _tag: "VideoUnclear" },
  MISMATCH: { _tag: "VideoNotMatched" }
}

export const checkVideo = (journeyId: string): Effect.Effect<JourneyMessage, EffectFailed, VideoCheck> =>
  Effect.flatMap(VideoCheck, (videos) => videos.check(journeyId)).pipe(
    Effect.map((verdict) => messageOf[verdict]),
    Effect.catchTag("VideoCheckUnavailable", ({ reason }) => Effect.fail(new EffectFailed({ definite: false, reason })))
  )

/**
 * The effect CHECK_VIDEO: one attempt to compare the handover video with the reference photo. The attempt answers with the
 * message that tells the journey the verdict, and fails when the video could not be looked at now.
 */
import { Effect } from "effect"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { VideoCheck } from "../checks/video/VideoCheck.ts"
import type { VideoJudgement } from "../checks/video/videoVerdict.ts"
import { EffectFailed } from "../journey/actor/Effects.ts"
import type { JourneyId } from "../../schema/ids.ts"

const messageOf = ({ reasons, verdict }: VideoJudgement, serial: number): JourneyMessage => {
  switch (verdict) {
    case "MATCH":
      return { _tag: "VideoMatched", serial }
    case "UNCLEAR":
      return { _tag: "VideoUnclear", serial, reasons }
    case "MISMATCH":
      return { _tag: "VideoNotMatched", serial, reasons }
  }
}

export const checkVideo = (
  journeyId: JourneyId,
  serial: number
): Effect.Effect<JourneyMessage, EffectFailed, VideoCheck> =>
  Effect.flatMap(VideoCheck, (videos) => videos.check(journeyId)).pipe(
    Effect.map((judgement) => messageOf(judgement, serial)),
    Effect.catchTag("VideoCheckUnavailable", ({ reason }) => Effect.fail(new EffectFailed({ definite: false, reason })))
  )

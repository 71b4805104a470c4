/**
 * Checks a handover video by some of its frames. Each frame with exactly one clear face is compared with the reference
 * photo, and `videoVerdict.ts` makes a verdict of the comparisons. A video or a reference that cannot be judged, for
 * whatever reason, is UNCLEAR. Only a trouble of this service itself is a failure.
 */
import { Effect, Layer } from "effect"
import { Videos } from "../../actors/checks/Videos.ts"
import { FaceCheck, type Likeness } from "../../actors/faces/FaceCheck.ts"
import { ReferenceFace } from "../../actors/checks/ReferenceFace.ts"
import { VideoCheck, VideoCheckUnavailable } from "../../actors/checks/VideoCheck.ts"
import { isMatchAlready, judgedVideo, type VideoJudgement } from "../../actors/checks/videoVerdict.ts"
import { VideoReader } from "./VideoReader.ts"
import type { JourneyId } from "../../schema/ids.ts"

export const layer = Layer.effect(
  VideoCheck,
  Effect.gen(function* () {
    const videos = yield* Videos
    const references = yield* ReferenceFace
    const reader = yield* VideoReader
    const faces = yield* FaceCheck

    /** What a frame shows: a clear face as it compares, several faces, or null for nothing that can be compared. */
    const likeness = (frame: Uint8Array, reference: Uint8Array) =>
      faces.compare(frame, reference).pipe(
        Effect.map(({ verdict }): Likeness["verdict"] | "SEVERAL" | null => verdict),
        Effect.catchTags({
          FaceRefused: ({ code }) => Effect.succeed(code === "MULTIPLE_FACES" ? ("SEVERAL" as const) : null),
          PhotoUnreadable: () => Effect.succeed(null)
        })
      )

    /**
     * The frames are compared one after another: the threads that compare are few, other work waits for them, and often
     * not every frame is needed.
     */
    const judged = Effect.fnUntraced(function* (frames: ReadonlyArray<Uint8Array>, reference: Uint8Array) {
      const compared: Array<Likeness["verdict"]> = []
      let crowded = 0
      for (const [index, frame] of frames.entries()) {
        if (isMatchAlready(compared, frames.length - index)) break
        const one = yield* likeness(frame, reference)
        if (one === "SEVERAL") crowded += 1
        else if (one !== null) compared.push(one)
      }
      return judgedVideo(compared, crowded)
    })

    const verdictOn = Effect.fnUntraced(function* (journeyId: JourneyId) {
      const reference = yield* references.of(journeyId)
      if (reference === null) return yield* unclear("NO_REFERENCE")
      const video = yield* videos.read(journeyId)
      if (video === null) return yield* unclear("NO_VIDEO")
      const reading = yield* reader.frames(video)
      if (reading._tag === "Refused") return yield* unclear(reading.code)
      return yield* judged(reading.frames, reference)
    })

    return VideoCheck.of({
      check: Effect.fn("VideoCheck.check")((journeyId) =>
        verdictOn(journeyId).pipe(
          Effect.annotateLogs({ journeyId }),
          Effect.catchTags({
            FaceCheckUnavailable: () => Effect.fail(new VideoCheckUnavailable({ reason: "FACE_CHECK" })),
            StoreUnavailable: () => Effect.fail(new VideoCheckUnavailable({ reason: "DATABASE" })),
            VideoReaderUnavailable: ({ reason }) => Effect.fail(new VideoCheckUnavailable({ reason }))
          })
        )
      )
    })
  })
)

const unclear = (reason: string): Effect.Effect<VideoJudgement> =>
  Effect.as(Effect.logInfo("A video cannot be judged", { reason }), { verdict: "UNCLEAR", reasons: [reason] })

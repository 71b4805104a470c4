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
import { isMatchAlready, videoVerdict } from "../../actors/checks/videoVerdict.ts"
import { VideoReader } from "./VideoReader.ts"

export const layer = Layer.effect(
  VideoCheck,
  Effect.gen(function* () {
    const videos = yield* Videos
    const references = yield* ReferenceFace
    const reader = yield* VideoReader
    const faces = yield* FaceCheck

    /** Null for a frame without exactly one clear face. */
    const likeness = (frame: Uint8Array, reference: Uint8Array) =>
      faces.compare(frame, reference).pipe(
        Effect.map(({ verdict }): Likeness["verdict"] | null => verdict),
        Effect.catchTag(["FaceRefused", "PhotoUnreadable"], () => Effect.succeed(null))
      )

    /**
     * The frames are compared one after another: the threads that compare are few, other work waits for them, and often
     * not every frame is needed.
     */
    const likenesses = Effect.fnUntraced(function* (frames: ReadonlyArray<Uint8Array>, reference: Uint8Array) {
      const compared: Array<Likeness["verdict"]> = []
      for (const [index, frame] of frames.entries()) {
        if (isMatchAlready(compared, frames.length - index)) break
        const one = yield* likeness(frame, reference)
        if (one !== null) compared.push(one)
      }
      return compared
    })

    const verdictOn = Effect.fnUntraced(function* (journeyId: string) {
      const reference = yield* references.of(journeyId)
      if (reference === null) return yield* unclear("NO_REFERENCE")
      const video = yield* videos.read(journeyId)
      if (video === null) return yield* unclear("NO_VIDEO")
      const reading = yield* reader.frames(video)
      if (reading._tag === "Refused") return yield* unclear(reading.code)
      return videoVerdict(yield* likenesses(reading.frames, reference))
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

const unclear = (reason: string) =>
  Effect.as(Effect.logInfo("A video cannot be judged", { reason }), "UNCLEAR" as const)

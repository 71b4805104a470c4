/**
 * Checks a handover video by some of its frames. Each frame with exactly one clear face is compared with the reference
 * photo, and `videoVerdict.ts` makes a verdict of the comparisons. A video that shows the customer is then looked at for the
 * turns of the head that were asked for (`turnsOfVideo.ts`). A video or a reference that cannot be judged, for
 * whatever reason, is UNCLEAR. Only a trouble of this service itself is a failure.
 */
import { Effect, Layer } from "effect"
import { Videos } from "../../actors/checks/video/Videos.ts"
import { FaceCheck, type FaceCheckUnavailable, type Likeness, type ComparedFace } from "../../actors/faces/FaceCheck.ts"
import { ReferenceFace } from "../../actors/checks/video/ReferenceFace.ts"
import { VideoCheck, VideoCheckUnavailable } from "../../actors/checks/video/VideoCheck.ts"
import { shownPicture } from "../../actors/checks/video/shownPicture.ts"
import { isMatchAlready, judgedVideo, withTurns, type VideoJudgement } from "../../actors/checks/video/videoVerdict.ts"
import { VideoFrames, type SeenFrame } from "../../actors/checks/video/VideoFrames.ts"
import { currentMeter } from "../../actors/kernel/Meter.ts"
import { makeTurnsOfVideo, silent } from "./turnsOfVideo.ts"
import type { VideoFrame } from "./videoAnswer.ts"
import { VideoReader } from "./VideoReader.ts"
import type { JourneyId } from "../../schema/ids.ts"

export const layer = Layer.effect(
  VideoCheck,
  Effect.gen(function* () {
    const videos = yield* Videos
    const references = yield* ReferenceFace
    const reader = yield* VideoReader
    const faces = yield* FaceCheck
    const kept = yield* VideoFrames
    const turnsOf = makeTurnsOfVideo(reader, faces)

    /** How a frame compares; a frame without exactly one clear face says nothing. `prints` hears those of the reference's person. */
    const seen = (
      { at, jpeg }: VideoFrame,
      reference: ComparedFace,
      prints: Array<Uint8Array>
    ): Effect.Effect<SeenFrame, FaceCheckUnavailable> =>
      faces.readInTurn(jpeg).pipe(
        Effect.map((face) => {
          const { similarity, verdict } = faces.likeness(face, reference)
          if (verdict === "SAME") prints.push(face.print)
          return { outcome: verdict, similarity }
        }),
        Effect.catchTags({
          FaceRefused: ({ code }) =>
            Effect.succeed({
              outcome: code === "MULTIPLE_FACES" ? "SEVERAL_FACES" : "NO_FACE",
              similarity: null
            } as const),
          PhotoUnreadable: () => Effect.succeed({ outcome: "NO_FACE", similarity: null } as const)
        }),
        Effect.map((comparison) => ({ at, jpeg, ...comparison }))
      )

    /**
     * The frames are read one after another: the threads that read are few, other work waits for them, and often
     * not every frame is needed.
     */
    const judged = Effect.fnUntraced(function* (frames: ReadonlyArray<VideoFrame>, reference: ComparedFace) {
      const all: Array<SeenFrame> = []
      const prints: Array<Uint8Array> = []
      for (const [index, frame] of frames.entries()) {
        const isDecided = isMatchAlready(likenessesIn(all), frames.length - index)
        all.push(
          isDecided ? { ...frame, outcome: "NOT_COMPARED", similarity: null } : yield* seen(frame, reference, prints)
        )
      }
      const crowded = all.filter(({ outcome }) => outcome === "SEVERAL_FACES").length
      const shown = yield* shownPicture(prints, reference.print)
      return { frames: all, judgement: judgedVideo(likenessesIn(all), crowded, shown) }
    })

    const verdictOn = Effect.fnUntraced(function* (journeyId: JourneyId) {
      const reference = yield* references.of(journeyId)
      if (reference === null) return yield* unclear("NO_REFERENCE")
      const video = yield* videos.read(journeyId)
      if (video === null) return yield* unclear("NO_VIDEO")
      const reading = yield* reader.frames(video)
      const keptNothing = (reason: string) => Effect.andThen(kept.keep(video.id, [], null), unclear(reason))
      if (reading._tag === "Refused") return yield* keptNothing(reading.code)
      // A reference in which nobody can be known is none. Such a photo was never taken by this version.
      const known = yield* Effect.catchTags(faces.readInTurn(reference.photo), silent)
      if (known === null) return yield* keptNothing("NO_REFERENCE")
      const { frames, judgement: ofFaces } = yield* judged(reading.frames, known)
      // Where the customer is not seen, no turn is the customer's.
      const isSeen = frames.some(({ outcome }) => outcome === "SAME")
      const turns = isSeen ? yield* turnsOf(video, known) : null
      const judgement = turns === null ? ofFaces : withTurns(ofFaces, turns.measured.outcome)
      // Kept before the verdict is told: whoever is asked to look at the video finds what was compared.
      const all = [...frames, ...(turns?.frames ?? [])]
      yield* kept.keep(video.id, all, { name: reference.name, of: reference.of }, turns?.measured ?? null)
      if (turns !== null) (yield* currentMeter).count("journeys_video_turns_total", { outcome: turns.measured.outcome })
      return judgement
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

/** What the frames with one clear face say. */
const likenessesIn = (frames: ReadonlyArray<SeenFrame>): ReadonlyArray<Likeness["verdict"]> =>
  frames
    .map(({ outcome }) => outcome)
    .filter((outcome) => outcome === "SAME" || outcome === "UNCLEAR" || outcome === "DIFFERENT")

const unclear = (reason: string): Effect.Effect<VideoJudgement> =>
  Effect.as(Effect.logInfo("A video cannot be judged", { reason }), { verdict: "UNCLEAR", reasons: [reason] })

/**
 * Looks for the turns of the head that a customer was asked for, in frames of the video's beginning. How far a head is turned is measured
 * by the processes that look at photos; `headTurns.ts` says what follows. A look that shows no single clear face says nothing.
 */
import { Effect } from "effect"
import { looksBetween, outcomeOfTurns, turnsSeen, type SeenTurn } from "../../actors/checks/video/headTurns.ts"
import { challengeLimits } from "../../actors/checks/limits.ts"
import type { MeasuredTurns, SeenFrame } from "../../actors/checks/video/VideoFrames.ts"
import type { FinishedVideo } from "../../actors/checks/video/Videos.ts"
import type { FaceCheck, ComparedFace } from "../../actors/faces/FaceCheck.ts"
import type { VideoFrame } from "./videoAnswer.ts"
import type { VideoReader } from "./VideoReader.ts"

interface LookedAt extends VideoFrame {
  readonly turned: number | null
}

/** A photo in which nobody is seen clearly is no failure: it says nothing. */
export const silent = { FaceRefused: () => Effect.succeed(null), PhotoUnreadable: () => Effect.succeed(null) } as const

export const makeTurnsOfVideo = (reader: VideoReader["Service"], faces: FaceCheck["Service"]) => {
  /** One after another, and none after the last turn that was asked for. */
  const looked = Effect.fnUntraced(function* (frames: ReadonlyArray<VideoFrame>, asked: number) {
    const looks: Array<LookedAt> = []
    for (const frame of frames) {
      const turned = yield* Effect.catchTags(faces.turned(frame.jpeg), silent)
      looks.push({ ...frame, turned })
      if (turned !== null && turnsSeen(looks).length >= asked) break
    }
    return looks
  })

  /** How a look compares with the reference; null: it shows no clear face to compare. */
  const compared = Effect.fnUntraced(function* (look: LookedAt | undefined, reference: ComparedFace) {
    const face = look && (yield* Effect.catchTags(faces.readInTurn(look.jpeg), silent))
    return face ? faces.likeness(face, reference) : null
  })

  /** The first of the frames between the turns that shows the reference's person; null: none does. */
  const customerBetween = Effect.fnUntraced(function* (
    looks: ReadonlyArray<LookedAt>,
    seen: ReadonlyArray<SeenTurn>,
    asked: number,
    reference: ComparedFace
  ) {
    for (const at of looksBetween(looks, seen, asked)) {
      const likeness = yield* compared(looks[at], reference)
      if (likeness?.verdict === "SAME") return { at, similarity: likeness.similarity }
    }
    return null
  })

  /**
   * Whether nobody turns in the customer's place while pictures of the customer are shown between the turns. A head that has just begun
   * to turn is compared: the further it is turned, the less its face can be known.
   */
  const isCustomerTurning = Effect.fnUntraced(function* (
    looks: ReadonlyArray<LookedAt>,
    turns: ReadonlyArray<SeenTurn>,
    reference: ComparedFace
  ) {
    let isKnown = false
    for (const { begun } of turns) {
      const likeness = yield* compared(looks[begun], reference)
      if (likeness?.verdict === "DIFFERENT") return false
      isKnown ||= likeness !== null
    }
    return isKnown
  })

  return Effect.fn("FrameVideoCheck.turns")(function* (video: FinishedVideo, reference: ComparedFace) {
    const { turnsAsked } = video
    if (turnsAsked.length === 0) return notAsked
    const reading = yield* reader.beginning(video)
    if (reading._tag === "Refused") return notAsked
    const looks = yield* looked(reading.frames, turnsAsked.length)
    const seen = turnsSeen(looks)
    const turned = outcomeOfTurns(turnsAsked, seen)
    const between = turned === "MET" ? yield* customerBetween(looks, seen, turnsAsked.length, reference) : null
    const isCustomers =
      between !== null && (yield* isCustomerTurning(looks, seen.slice(0, turnsAsked.length), reference))
    const outcome = turned === "MET" && !isCustomers ? "NOT_SEEN" : turned
    const measured: MeasuredTurns = { outcome, seen: seen.map(({ turn }) => turn) }
    return { measured, frames: framesToKeep(looks, seen, between) }
  })
}

const notAsked = {
  measured: { outcome: "NOT_SEEN", seen: [] } as MeasuredTurns,
  frames: [] as ReadonlyArray<SeenFrame>
}

/** The farthest look of each turn and the face between them; where no turn was seen, looks spread over the beginning. */
const framesToKeep = (
  looks: ReadonlyArray<LookedAt>,
  seen: ReadonlyArray<SeenTurn>,
  between: { readonly at: number; readonly similarity: number } | null
): ReadonlyArray<SeenFrame> => {
  const { mostKept } = challengeLimits
  const spread = Array.from({ length: Math.min(mostKept, looks.length) }, (_, part) =>
    Math.floor(((part + 0.5) * looks.length) / Math.min(mostKept, looks.length))
  )
  const ofTurns = [...seen.map(({ farthest }) => farthest), ...(between === null ? [] : [between.at])]
  const places = new Set(seen.length === 0 ? spread : ofTurns)
  return Array.from(places)
    .toSorted((one, other) => one - other)
    .slice(0, mostKept)
    .flatMap((at): ReadonlyArray<SeenFrame> => {
      const look = looks[at]
      if (look === undefined) return []
      const isCompared = between !== null && between.at === at
      const { similarity } = between ?? { similarity: null }
      return [{ ...look, outcome: isCompared ? "SAME" : "NOT_COMPARED", similarity: isCompared ? similarity : null }]
    })
}

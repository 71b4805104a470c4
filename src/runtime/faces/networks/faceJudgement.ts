/**
 * Decides what the faces found in a photo mean, and whether two faces belong to one person. It is pure: it sees numbers
 * and no pixels. Its limits stand in faceThresholds.ts, with the measurements behind them.
 */
import type { Detection } from "./faceDetector.ts"
import {
  backgroundFacePart,
  clearScore,
  differentPersonDistance,
  leastFaceSide,
  leastSharpness,
  mostFacesBeside,
  mostWavering,
  samePersonDistance
} from "./faceThresholds.ts"

export interface Face extends Detection {
  /** As measured by faceSharpness.ts: 0 is flat, and a larger number is sharper. */
  readonly sharpness: number
}

export type FaceJudgement =
  /** `beside`: faces of the background that are large and sharp enough to be known, largest first. */
  | { readonly _tag: "ONE_FACE"; readonly face: Face; readonly beside: ReadonlyArray<Face> }
  | { readonly _tag: "NO_FACE"; readonly isBlurred: boolean }
  | { readonly _tag: "MULTIPLE_FACES" }
  | { readonly _tag: "FACE_TOO_SMALL" }

/**
 * MULTIPLE_FACES comes before FACE_TOO_SMALL, because a group far away is first of all a group. A face less than half
 * as high as the largest is background and does not count: a passer-by, or the small second portrait on an identity
 * document. Nobody could take it for the person who is meant, but whose face it is may matter. If the largest face is blurred, the
 * photo has no clear face, so it is NO_FACE.
 */
export const judge = (faces: ReadonlyArray<Face>): FaceJudgement => {
  const sure = faces.filter(({ score }) => score >= clearScore).toSorted((a, b) => b.box.height - a.box.height)
  const [largest, ...others] = sure
  const [next] = others
  if (largest === undefined) return { _tag: "NO_FACE", isBlurred: false }
  if (next !== undefined && next.box.height >= largest.box.height * backgroundFacePart)
    return { _tag: "MULTIPLE_FACES" }
  if (largest.box.height < leastFaceSide) return { _tag: "FACE_TOO_SMALL" }
  if (largest.sharpness < leastSharpness) return { _tag: "NO_FACE", isBlurred: true }
  const known = others.filter(({ box, sharpness }) => box.height >= leastFaceSide && sharpness >= leastSharpness)
  return { _tag: "ONE_FACE", face: largest, beside: known.slice(0, mostFacesBeside) }
}

/** Whether the face can really be seen, judged by how much its landmarks waver; see faceLandmarks.ts. */
export const isSteady = (wavering: number): boolean => wavering <= mostWavering

export type Comparison = "SAME" | "DIFFERENT" | "UNCLEAR"

export const compare = (a: Float32Array, b: Float32Array): Comparison => {
  const apart = distance(a, b)
  if (apart <= samePersonDistance) return "SAME"
  return apart >= differentPersonDistance ? "DIFFERENT" : "UNCLEAR"
}

/** 1 for equal numbers, and 0 from a distance of 1 on. No two faces of one person are that far apart. */
export const similarity = (a: Float32Array, b: Float32Array): number => Math.max(0, 1 - distance(a, b))

const distance = (a: Float32Array, b: Float32Array): number => {
  if (a.length !== b.length) throw new RangeError("Only faces read by the same network can be compared.")
  let squares = 0
  for (let index = 0; index < a.length; index++) squares += (a[index]! - b[index]!) ** 2
  return Math.sqrt(squares)
}

/**
 * Decides what the faces found in a photo mean, and whether two faces are one person's. Pure: it sees numbers, never
 * pixels, and the limits it applies stand in faceThresholds.ts with the measurements behind them.
 */
import type { Detection } from "./faceDetector.ts"
import {
  backgroundFacePart,
  clearScore,
  differentPersonDistance,
  leastFaceSide,
  leastSharpness,
  mostWavering,
  samePersonDistance
} from "./faceThresholds.ts"

export interface Face extends Detection {
  /** From faceSharpness.ts: 0 is flat, more is sharper. */
  readonly sharpness: number
}

export type FaceJudgement =
  | { readonly _tag: "ONE_FACE"; readonly face: Face }
  | { readonly _tag: "NO_FACE" }
  | { readonly _tag: "MULTIPLE_FACES" }
  | { readonly _tag: "FACE_TOO_SMALL" }

/**
 * Several faces come before a small one: a group far away is first of all a group. A face less than half as high as the
 * largest is background and does not count, neither a passer-by nor the small second portrait that identity documents
 * repeat: nobody could take it for the person meant. A blurred largest face is no clear face, hence NO_FACE.
 */
export const judge = (faces: ReadonlyArray<Face>): FaceJudgement => {
  const sure = faces.filter(({ score }) => score >= clearScore).toSorted((a, b) => b.box.height - a.box.height)
  const [largest, next] = sure
  if (largest === undefined) return { _tag: "NO_FACE" }
  if (next !== undefined && next.box.height >= largest.box.height * backgroundFacePart)
    return { _tag: "MULTIPLE_FACES" }
  if (largest.box.height < leastFaceSide) return { _tag: "FACE_TOO_SMALL" }
  return largest.sharpness < leastSharpness ? { _tag: "NO_FACE" } : { _tag: "ONE_FACE", face: largest }
}

/** Whether landmarks that waver by this much are a face's that can be seen; see faceLandmarks.ts. */
export const isSteady = (wavering: number): boolean => wavering <= mostWavering

export type Comparison = "SAME" | "DIFFERENT" | "UNCLEAR"

export const compare = (a: Float32Array, b: Float32Array): Comparison => {
  const apart = distance(a, b)
  if (apart <= samePersonDistance) return "SAME"
  return apart >= differentPersonDistance ? "DIFFERENT" : "UNCLEAR"
}

/** 1 for the same numbers, 0 from a distance of 1 on, where no pair of faces of one person lies. */
export const similarity = (a: Float32Array, b: Float32Array): number => Math.max(0, 1 - distance(a, b))

const distance = (a: Float32Array, b: Float32Array): number => {
  if (a.length !== b.length) throw new RangeError("Only faces read by the same network can be compared.")
  let squares = 0
  for (let index = 0; index < a.length; index++) squares += (a[index]! - b[index]!) ** 2
  return Math.sqrt(squares)
}

/**
 * Finds, judges and reads the faces of a photo on this machine. A process of the photo pool loads this once and keeps
 * it. Decoding photos, processes and their limits are not its business.
 */
import { startBackend } from "./faceBackend.ts"
import type { FaceBackend } from "./backends.ts"
import { loadDetector, type Box } from "./faceDetector.ts"
import { loadEmbedder } from "./faceEmbedding.ts"
import { isSteady, judge, type Face, type FaceJudgement } from "./faceJudgement.ts"
import { loadLandmarks } from "./faceLandmarks.ts"
import { facePrint } from "./facePrint.ts"
import { faceSharpness } from "./faceSharpness.ts"
import type { Raster } from "./faceSquare.ts"
import { looksForTurns, type DetectorLooks } from "./faceThresholds.ts"

export { compare, similarity } from "./faceJudgement.ts"

export interface Faces {
  readonly backend: FaceBackend
  /** Everything that may be a face, largest first. It includes faces that are too unsure to count. */
  readonly find: (pixels: Uint8Array, width: number, height: number) => Promise<ReadonlyArray<Face>>
  /** `looks`: others than the usual ones (`faceThresholds.ts`). */
  readonly judge: (pixels: Uint8Array, width: number, height: number, looks?: DetectorLooks) => Promise<FaceJudgement>
  /** How far the one face is turned (`faceLandmarks.ts`), with the looks for turns (`faceThresholds.ts`). It says nothing where there is no one face. */
  readonly turned: (
    pixels: Uint8Array,
    width: number,
    height: number
  ) => Promise<{ readonly judgement: FaceJudgement; readonly turned: number }>
  /** 128 numbers for the face in the box; see `similarity`. */
  readonly embed: (pixels: Uint8Array, width: number, height: number, box: Box) => Promise<Float32Array>
  /** A small grey picture of the face in the box, with its eyes level. */
  readonly print: (pixels: Uint8Array, width: number, height: number, box: Box) => Promise<Uint8Array<ArrayBuffer>>
}

/** Pixels are RGB, three bytes each, rows from the top, already upright. */
export const loadFaces = async (wanted: FaceBackend | null = null): Promise<Faces> => {
  const backend = await startBackend(wanted)
  const [detect, landmarks] = await Promise.all([loadDetector(), loadLandmarks()])
  const embed = await loadEmbedder(landmarks)
  const foundIn = async (photo: Raster, looks?: DetectorLooks) => {
    const detections = await detect(photo, looks)
    return detections
      .map(({ box, score }): Face => ({ box, score, sharpness: faceSharpness(photo, box) }))
      .toSorted((a, b) => b.box.height - a.box.height)
  }
  const find: Faces["find"] = (pixels, width, height) => foundIn(photoOf(pixels, width, height))
  return {
    backend,
    find,
    turned: async (pixels, width, height) => {
      const photo = photoOf(pixels, width, height)
      const judgement = judge(await foundIn(photo, looksForTurns))
      if (judgement._tag !== "ONE_FACE") return { judgement, turned: 0 }
      return { judgement, turned: await landmarks.turned(photo, judgement.face.box) }
    },
    judge: async (pixels, width, height, looks) => {
      const photo = photoOf(pixels, width, height)
      const judgement = judge(await foundIn(photo, looks))
      if (judgement._tag !== "ONE_FACE") return judgement
      // Measured only for a photo that would be accepted, because it reads the photo once more.
      const wavering = await landmarks.wavering(photo, judgement.face.box)
      return isSteady(wavering) ? judgement : { _tag: "NO_FACE", isBlurred: false }
    },
    embed: async (pixels, width, height, box) => embed(photoOf(pixels, width, height), box),
    print: async (pixels, width, height, box) => {
      const photo = photoOf(pixels, width, height)
      return facePrint(photo, await landmarks.straightenedEvenly(photo, box))
    }
  }
}

const photoOf = (pixels: Uint8Array, width: number, height: number): Raster => {
  if (![width, height].every((side) => Number.isInteger(side) && side >= 1) || pixels.length !== width * height * 3) {
    throw new RangeError("A photo has three bytes for each of its pixels.")
  }
  return { pixels, width, height }
}

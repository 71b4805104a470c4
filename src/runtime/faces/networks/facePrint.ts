/**
 * Makes the print of a photo's face: a small grey picture of the face and a little around it. `actors/faces/samePicture.ts`
 * compares prints. A print follows the eyes and the mouth, so it stays alike when a photo is cropped, made smaller or turned.
 */
import { pictureThresholds } from "../../../actors/faces/pictureThresholds.ts"
import { cutSquare, type Raster, type Square } from "./faceSquare.ts"

const { printedFaces, printSide } = pictureThresholds

/** `straightened`: the face as `faceLandmarks.ts` straightens it, evenly. */
export const facePrint = (photo: Raster, straightened: Square): Uint8Array<ArrayBuffer> => {
  const colours = cutSquare(photo, { ...straightened, side: straightened.side * printedFaces }, printSide)
  return Uint8Array.from({ length: printSide * printSide }, (_, at) =>
    Math.round(0.299 * colours[at * 3]! + 0.587 * colours[at * 3 + 1]! + 0.114 * colours[at * 3 + 2]!)
  )
}

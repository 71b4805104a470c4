/**
 * Makes the print of a photo's face: a small grey picture of the face and a little around it. `actors/faces/samePicture.ts`
 * compares prints. A print follows the face, so it stays alike when a photo is cropped or made smaller.
 */
import { pictureThresholds } from "../../../actors/faces/pictureThresholds.ts"
import type { Box } from "./faceDetector.ts"
import { cutSquare, type Raster } from "./faceSquare.ts"

const { printedFaces, printSide } = pictureThresholds

export const facePrint = (photo: Raster, { height, width, x, y }: Box): Uint8Array<ArrayBuffer> => {
  const square = {
    centreX: x + width / 2,
    centreY: y + height / 2,
    side: Math.max(width, height) * printedFaces,
    angle: 0
  }
  const colours = cutSquare(photo, square, printSide)
  return Uint8Array.from({ length: printSide * printSide }, (_, at) =>
    Math.round(0.299 * colours[at * 3]! + 0.587 * colours[at * 3 + 1]! + 0.114 * colours[at * 3 + 2]!)
  )
}

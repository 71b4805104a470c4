/**
 * Measures how sharp a face is, whatever its brightness. The detector still finds a blurred face, but the numbers that
 * are read from such a face fit many people. faceThresholds.ts says how sharp is sharp enough.
 */
import type { Box } from "./faceDetector.ts"
import { cutSquare, type Raster } from "./faceSquare.ts"

/** Every face is measured at this side, in pixels: about as large as the recognition network sees it. */
const measuredSide = 128

/** The share of the face's contrast that lies in its finest details: 0 for a flat surface or a strong blur. */
export const faceSharpness = (photo: Raster, { height, width, x, y }: Box): number => {
  // Only the middle of the box counts: hair and background at its edge are often sharp when the face is not.
  const side = Math.max(width, height) * 0.7
  const square = { centreX: x + width / 2, centreY: y + height / 2, side, angle: 0 }
  const colours = cutSquare(photo, square, measuredSide)
  const light = new Float64Array(measuredSide * measuredSide)
  for (let at = 0; at < light.length; at++) {
    light[at] = 0.299 * colours[at * 3]! + 0.587 * colours[at * 3 + 1]! + 0.114 * colours[at * 3 + 2]!
  }
  let sum = 0
  let squares = 0
  let details = 0
  let count = 0
  for (let row = 1; row < measuredSide - 1; row++) {
    for (let column = 1; column < measuredSide - 1; column++) {
      const at = row * measuredSide + column
      const here = light[at]!
      const around = light[at - 1]! + light[at + 1]! + light[at - measuredSide]! + light[at + measuredSide]!
      sum += here
      squares += here * here
      details += (4 * here - around) ** 2
      count += 1
    }
  }
  const variance = squares / count - (sum / count) ** 2
  return variance < 1 ? 0 : details / count / variance
}

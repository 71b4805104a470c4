/**
 * Where the 22 faces of the six sample photos are, in pixels. The detector found them once and a person checked them.
 * They are kept as numbers, so that measurements stay the same when the detector changes.
 */
import type { Box } from "../../src/runtime/faces/networks/faceDetector.ts"

export interface KnownFace {
  readonly photo: number
  readonly box: Box
}

export const knownFaces: ReadonlyArray<KnownFace> = (
  [
    [1, 412, 354, 179, 239],
    [1, 838, 417, 189, 226],
    [1, 1476, 199, 199, 236],
    [2, 1447, 152, 194, 244],
    [2, 900, 221, 151, 226],
    [2, 362, 136, 150, 252],
    [3, 585, 329, 198, 272],
    [3, 1514, 288, 168, 284],
    [3, 1075, 215, 221, 297],
    [4, 663, 49, 185, 263],
    [4, 256, 184, 162, 248],
    [4, 988, 178, 170, 228],
    [4, 1278, 133, 146, 257],
    [5, 787, 108, 153, 213],
    [5, 1111, 196, 160, 240],
    [5, 598, 414, 165, 250],
    [5, 1403, 387, 169, 275],
    [5, 378, 863, 170, 296],
    [6, 679, 319, 160, 307],
    [6, 1180, 308, 188, 273],
    [6, 1487, 262, 209, 295],
    [6, 249, 466, 209, 293]
  ] as const
).map(([photo, x, y, width, height]) => ({ photo, box: { x, y, width, height } }))

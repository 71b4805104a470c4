/**
 * Whether two photos are one picture, or nearly one: the same photo stored anew, in another size, cropped, brighter, or mirrored.
 * Pure arithmetic on prints, which are small grey pictures of the faces (`CleanPhoto.print`). Two photos that were taken one after the
 * other of the same person are two pictures; whose faces they show is the comparison's business.
 */
import { pictureThresholds } from "./pictureThresholds.ts"

const { farthestShift, leastLikeness, printSide: side, scales } = pictureThresholds

/** The middle of a print, which another print's middle is compared with wherever it lies within `farthestShift`. */
const middle = side - 2 * farthestShift

export const isSamePicture = (one: Uint8Array, other: Uint8Array): boolean =>
  pictureLikeness(one, other) >= leastLikeness

/**
 * Whether a frame of a video shows this photo of its person. A video is often taken minutes after the photo, in the same light, so a living
 * face comes nearer to it than to the photo on a document.
 */
export const isFilmedPicture = (frame: Uint8Array, photo: Uint8Array): boolean =>
  pictureLikeness(frame, photo) >= pictureThresholds.leastLikenessOfFilmed

/** Whether the second frame of a video shows nothing that the first does not: a picture that somebody holds before the camera. */
export const isStillPicture = (one: Uint8Array, other: Uint8Array): boolean =>
  pictureLikeness(one, other) >= pictureThresholds.leastLikenessOfStill

/** From -1 to 1; 1 is the same picture. It is the best correlation of the two middles, at any shift and scale that is looked at. */
export const pictureLikeness = (one: Uint8Array, other: Uint8Array): number => {
  if (one.length !== side * side || other.length !== side * side) throw new RangeError("This is no print of a face.")
  const fixed = details(Float32Array.from(one))
  let best = -1
  for (const turned of [other, mirrored(other)]) {
    for (const scale of scales) {
      best = Math.max(best, likenessAt(fixed, details(scaled(turned, scale))))
    }
  }
  return best
}

/** Looks at every other shift first, and then around the best of them. */
const likenessAt = (fixed: Float32Array, moved: Float32Array): number => {
  let best = { likeness: -1, left: 0, top: 0 }
  const look = (left: number, top: number) => {
    const likeness = correlation(fixed, moved, left, top)
    if (likeness > best.likeness) best = { likeness, left, top }
  }
  const most = 2 * farthestShift
  for (let top = 0; top <= most; top += 2) for (let left = 0; left <= most; left += 2) look(left, top)
  const { left, top } = best
  for (let down = Math.max(0, top - 1); down <= Math.min(most, top + 1); down++) {
    for (let right = Math.max(0, left - 1); right <= Math.min(most, left + 1); right++) look(right, down)
  }
  return best.likeness
}

const mirrored = (print: Uint8Array): Uint8Array =>
  print.map((_, at) => print[at - (at % side) + side - 1 - (at % side)] ?? 0)

/** The print, enlarged or shrunk about its middle. What lies beyond its edge repeats the edge. */
const scaled = (print: Uint8Array, scale: number): Float32Array => {
  const centre = (side - 1) / 2
  const within = (value: number) => Math.min(side - 1, Math.max(0, centre + (value - centre) / scale))
  return Float32Array.from(print, (_, at) => {
    const [x, y] = [within(at % side), within(Math.floor(at / side))]
    const [left, top] = [Math.min(side - 2, Math.floor(x)), Math.min(side - 2, Math.floor(y))]
    const row = (from: number) => (print[from] ?? 0) * (left + 1 - x) + (print[from + 1] ?? 0) * (x - left)
    return row(top * side + left) * (top + 1 - y) + row((top + 1) * side + left) * (y - top)
  })
}

/** What is left when the light of the surroundings is taken away: edges and small things, which only the same picture shares. */
const details = (grey: Float32Array): Float32Array =>
  grey.map((value, at) => {
    const [x, y] = [at % side, Math.floor(at / side)]
    let sum = 0
    let count = 0
    for (let row = Math.max(0, y - 2); row <= Math.min(side - 1, y + 2); row++) {
      for (let column = Math.max(0, x - 2); column <= Math.min(side - 1, x + 2); column++) {
        sum += grey[row * side + column] ?? 0
        count += 1
      }
    }
    return value - sum / count
  })

/** Of the middle of one print with a part of the other. Parts without any detail are not alike. */
const correlation = (one: Float32Array, other: Float32Array, left: number, top: number): number => {
  const sums = { one: 0, other: 0, both: 0, oneSquared: 0, otherSquared: 0 }
  for (let row = 0; row < middle; row++) {
    const from = (farthestShift + row) * side + farthestShift
    const to = (top + row) * side + left
    for (let column = 0; column < middle; column++) {
      const a = one[from + column]!
      const b = other[to + column]!
      sums.one += a
      sums.other += b
      sums.both += a * b
      sums.oneSquared += a * a
      sums.otherSquared += b * b
    }
  }
  const count = middle * middle
  const spread = (sums.oneSquared - sums.one ** 2 / count) * (sums.otherSquared - sums.other ** 2 / count)
  return spread < 1 ? 0 : (sums.both - (sums.one * sums.other) / count) / Math.sqrt(spread)
}

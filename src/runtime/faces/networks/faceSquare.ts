/**
 * Cuts a square out of a photo at the size that a network takes. Pixels that shrink are averaged, and what lies beyond
 * the photo is black. This is plain arithmetic on bytes, so a photo of many megapixels never becomes a tensor: the
 * memory of the WASM backend grows with its largest tensor and is never given back.
 */

/** A decoded photo: RGB, three bytes for each pixel, rows from the top, already upright. */
export interface Raster {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
}

/** A square of the photo, in pixels, turned clockwise by `angle` radians about its centre. */
export interface Square {
  readonly centreX: number
  readonly centreY: number
  readonly side: number
  readonly angle: number
}

/** Samples along one edge of a target pixel. A photo of up to eight times the target's side is read pixel by pixel. */
const maximumSamplesAlongEdge = 8

/** The square as `side` x `side` RGB values from 0 to 255. */
export const cutSquare = (photo: Raster, square: Square, side: number): Float32Array => {
  const cut = new Float32Array(side * side * 3)
  const scale = square.side / side
  const samples = Math.min(maximumSamplesAlongEdge, Math.max(1, Math.ceil(scale)))
  if (square.angle === 0 && samples > 1) return shrunkUpright(cut, photo, square, side, samples)
  const addSample = samples === 1 ? addBlend : addNearest
  // The distance from one sample to the next, along the axes of the square.
  const cosine = (Math.cos(square.angle) * scale) / samples
  const sine = (Math.sin(square.angle) * scale) / samples
  const half = (side * samples - 1) / 2
  for (let down = 0; down < side * samples; down++) {
    const row = Math.floor(down / samples) * side
    for (let right = 0; right < side * samples; right++) {
      const x = square.centreX + (right - half) * cosine - (down - half) * sine
      const y = square.centreY + (right - half) * sine + (down - half) * cosine
      if (x >= 0 && y >= 0 && x < photo.width && y < photo.height) {
        addSample(cut, (row + Math.floor(right / samples)) * 3, photo, x, y)
      }
    }
  }
  return samples === 1 ? cut : meanOf(cut, samples)
}

const meanOf = (cut: Float32Array, samples: number): Float32Array => {
  const share = 1 / (samples * samples)
  for (let at = 0; at < cut.length; at++) cut[at]! *= share
  return cut
}

/**
 * Takes the same samples in half the time, because a square that is not turned reads the same columns in each row. For
 * a large photo, cutting takes most of the time before the networks run.
 */
const shrunkUpright = (
  cut: Float32Array,
  { height, pixels, width }: Raster,
  { centreX, centreY, side: fullSide }: Square,
  side: number,
  samples: number
): Float32Array => {
  const step = fullSide / side / samples
  const half = (side * samples - 1) / 2
  const inside = (centre: number, length: number): ReadonlyArray<readonly [sample: number, pixel: number]> =>
    Array.from(
      { length: side * samples },
      (_, sample) => [sample, Math.floor(centre + (sample - half) * step)] as const
    ).filter(([, pixel]) => pixel >= 0 && pixel < length)
  const columns = inside(centreX, width)
  const to = Int32Array.from(columns, ([sample]) => Math.floor(sample / samples) * 3)
  const from = Int32Array.from(columns, ([, pixel]) => pixel * 3)
  for (const [sample, row] of inside(centreY, height)) {
    const toRow = Math.floor(sample / samples) * side * 3
    const fromRow = row * width * 3
    for (let column = 0; column < to.length; column++) {
      const at = toRow + to[column]!
      const pixel = fromRow + from[column]!
      cut[at]! += pixels[pixel]!
      cut[at + 1]! += pixels[pixel + 1]!
      cut[at + 2]! += pixels[pixel + 2]!
    }
  }
  return meanOf(cut, samples)
}

/** For shrinking: so many samples fall on a target pixel that each may take the value of the pixel it lies in. */
const addNearest = (cut: Float32Array, at: number, { pixels, width }: Raster, x: number, y: number): void => {
  const from = (Math.floor(y) * width + Math.floor(x)) * 3
  cut[at]! += pixels[from]!
  cut[at + 1]! += pixels[from + 1]!
  cut[at + 2]! += pixels[from + 2]!
}

/** For enlarging: blends the four pixels whose centres surround the sample. The edge is repeated. */
const addBlend = (cut: Float32Array, at: number, { height, pixels, width }: Raster, x: number, y: number): void => {
  const left = Math.max(0, Math.floor(x - 0.5))
  const top = Math.max(0, Math.floor(y - 0.5))
  const partX = Math.max(0, x - 0.5 - left)
  const partY = Math.max(0, y - 0.5 - top)
  const topLeft = (top * width + left) * 3
  const next = left + 1 < width ? 3 : 0
  const below = top + 1 < height ? width * 3 : 0
  for (let channel = 0; channel < 3; channel++) {
    const from = topLeft + channel
    const above = pixels[from]! * (1 - partX) + pixels[from + next]! * partX
    const under = pixels[from + below]! * (1 - partX) + pixels[from + below + next]! * partX
    cut[at + channel]! += above * (1 - partY) + under * partY
  }
}

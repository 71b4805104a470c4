/** Decodes photos for tests and compares pictures: what a photo shows, and how far two pictures are apart. */
import { expect } from "vitest"
import { decodePhoto, type DecodedPhoto } from "../../src/runtime/faces/photos/decodePhoto.ts"
import { encodeJpeg } from "../../src/runtime/faces/photos/encodeJpeg.ts"
import type { Pixels } from "./photos.ts"

export const decoded = (photo: Uint8Array): DecodedPhoto => {
  const result = decodePhoto(photo)
  if ("problem" in result) throw new Error(result.problem)
  return result
}

/** What the service keeps of a photo. */
export const keptOf = (photo: Uint8Array): Uint8Array => encodeJpeg(decoded(photo))

/** The mean distance of the samples of two pictures, on a scale to 255. */
export const distance = (one: Pixels, other: Pixels): number => {
  expect([one.width, one.height]).toEqual([other.width, other.height])
  const sum = one.pixels.reduce((total, sample, at) => total + Math.abs(sample - (other.pixels[at] ?? 0)), 0)
  return sum / one.pixels.length
}

export const mapped = ({ height, pixels, width }: Pixels, change: (sample: number, at: number) => number): Pixels => ({
  width,
  height,
  pixels: pixels.map(change)
})

export const cropped = (picture: Pixels, left: number, top: number, width: number, height: number): Pixels => {
  const rows = Array.from({ length: height }, (_, y) => ((top + y) * picture.width + left) * 3)
  const pixels = Buffer.concat(rows.map((start) => picture.pixels.subarray(start, start + width * 3)))
  return { pixels: new Uint8Array(pixels), width, height }
}

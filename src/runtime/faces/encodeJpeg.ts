/**
 * Writes a picture as a JPEG that has nothing but the picture, with mozjpeg. The pure JavaScript encoder of jimp builds a
 * table of megabytes for every picture, and collecting it takes all cores: reads were late by it while photos were looked
 * at (`npm run bench:photo-load`).
 */
import createEncoder from "@jsquash/jpeg/codec/enc/mozjpeg_enc.js"
import { defaultEncodeOptions } from "@jsquash/jpeg/meta.js"
import { readFileSync } from "node:fs"
import type { UprightPicture } from "./uprightPicture.ts"

/** Of 100. Above, files grow and faces look the same; below, blocks begin to show. */
const jpegQuality = 88

const encoder = await createEncoder({
  noInitialRun: true,
  // What the file would be fetched with knows no file: addresses.
  wasmBinary: new Uint8Array(readFileSync(new URL(import.meta.resolve("@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm"))))
    .buffer
})

/** Baseline, which every reader reads. */
export const encodeJpeg = ({ height, pixels, width }: UprightPicture): Uint8Array => {
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  // One by one: a view a pixel would be megabytes of garbage.
  for (let from = 0, to = 0; to < data.length; from += 3, to += 4) {
    data[to] = pixels[from]!
    data[to + 1] = pixels[from + 1]!
    data[to + 2] = pixels[from + 2]!
  }
  return encoder.encode(data, width, height, { ...defaultEncodeOptions, quality: jpegQuality, progressive: false })
}

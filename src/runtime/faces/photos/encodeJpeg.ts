/**
 * Writes a picture as a JPEG that holds nothing but the picture, with mozjpeg. The JavaScript encoder of jimp builds a
 * table of megabytes for every picture, and collecting that garbage takes all cores: it delayed reads while photos were
 * looked at (`npm run bench:photo-load`).
 */
import createEncoder from "@jsquash/jpeg/codec/enc/mozjpeg_enc.js"
import { defaultEncodeOptions } from "@jsquash/jpeg/meta.js"
import { readFileSync } from "node:fs"
import type { UprightPicture } from "./uprightPicture.ts"

/** On a scale to 100. Above this value files grow and faces look the same; below it blocks become visible. */
const jpegQuality = 88

const encoder = await createEncoder({
  noInitialRun: true,
  // The package would fetch the file, and its fetch knows no files.
  wasmBinary: new Uint8Array(readFileSync(new URL(import.meta.resolve("@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm"))))
    .buffer
})

/** Encodes a baseline JPEG, which every reader can read. */
export const encodeJpeg = ({ height, pixels, width }: UprightPicture): Uint8Array => {
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  // Byte by byte: one view for each pixel would be megabytes of garbage.
  for (let from = 0, to = 0; to < data.length; from += 3, to += 4) {
    data[to] = pixels[from]!
    data[to + 1] = pixels[from + 1]!
    data[to + 2] = pixels[from + 2]!
  }
  return encoder.encode(data, width, height, { ...defaultEncodeOptions, quality: jpegQuality, progressive: false })
}

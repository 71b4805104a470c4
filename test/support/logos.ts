/** Logos as companies send them: drawings with and without transparency, with something hidden, and too large. */
import pngCodec from "@jimp/js-png"
import { crc32 } from "node:zlib"
import { pngChunkAt, pngSignature } from "../../src/schema/media/pngHeader.ts"

/** A drawing: a disc of one colour on nothing. */
export const logoOf = (width: number, height: number, [red, green, blue] = [200, 40, 40]): Buffer => {
  const data = Buffer.alloc(width * height * 4)
  const radius = Math.min(width, height) / 2
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isInside = Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) < radius
      if (isInside) data.set([red ?? 0, green ?? 0, blue ?? 0, 255], (y * width + x) * 4)
    }
  }
  return Buffer.from(pngCodec().encode({ data, width, height }))
}

/** Every pixel of another colour: nothing to compress. The noise is the same each time. */
export const noisyLogo = (width: number, height: number): Buffer => {
  let seed = 7
  const data = Buffer.from(
    Array.from({ length: width * height * 4 }, (_, at) => {
      seed = (seed * 48_271) % 2_147_483_647
      return at % 4 === 3 ? 255 : seed % 256
    })
  )
  return Buffer.from(pngCodec().encode({ data, width, height }))
}

/** The PNG with a text chunk after its header, and with bytes after its end. */
export const withHiddenWords = (png: Uint8Array, words: string): Buffer => {
  const header = pngChunkAt(png, pngSignature.length)
  const end = (header?.end ?? 0) + 4
  const chunk = Buffer.concat([Buffer.from("tEXt"), Buffer.from(`Comment\0${words}`, "latin1")])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(chunk.length - 4)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(chunk))
  return Buffer.concat([png.subarray(0, end), length, chunk, checksum, png.subarray(end), Buffer.from(words, "latin1")])
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

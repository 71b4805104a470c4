/**
 * Prepares a PNG for the decoder, which has no limits and accepts no byte after the picture. Only the chunks of the
 * picture are kept. The pixels are inflated once before the decoder does it, to see that they have exactly the length
 * that the header says.
 */
import { crc32, inflateSync } from "node:zlib"
import {
  checksumLength,
  inflatedBytes,
  isIntact,
  pngChunkAt,
  pngHeader,
  pngSignature
} from "../../../schema/media/pngHeader.ts"
import { exifOrientation, type Orientation } from "./exifOrientation.ts"
import { photoLimits } from "../limits.ts"

export interface CleanPng {
  readonly bytes: Buffer
  readonly orientation: Orientation
}

/** Chunks that may occur once. Pixels may come in any number of chunks. */
const once = new Set(["IHDR", "PLTE", "tRNS"])

/**
 * Null when the file is cut off, damaged, or larger than its header says. Of an animation only the still picture is
 * kept.
 */
export const cleanPng = (photo: Uint8Array): CleanPng | null => {
  const header = pngHeader(photo)
  if (header === null) return null
  const kept = new Map<string, Uint8Array>()
  const pixels: Array<Uint8Array> = []
  let orientation: Orientation = 1
  let at = pngSignature.length
  for (;;) {
    const chunk = pngChunkAt(photo, at)
    if (chunk === null) return null
    const { end, name, start } = chunk
    at = end + checksumLength
    const content = photo.subarray(start, end)
    if (name === "eXIf") orientation = exifOrientation(content)
    if (isLeftOut(name)) continue
    if (!isIntact(photo, chunk)) return null
    if (name === "IEND") break
    if (name === "IDAT") pixels.push(content)
    else if (once.has(name) && !kept.has(name)) kept.set(name, content)
    else return null
  }
  const compressed = Buffer.concat(pixels)
  if (!inflatesTo(inflatedBytes(header), compressed)) return null
  return {
    bytes: Buffer.concat([
      Buffer.from(pngSignature),
      ...Array.from(kept).flatMap(([name, content]) => chunkOf(name, content)),
      ...chunkOf("IDAT", compressed),
      ...chunkOf("IEND", new Uint8Array())
    ]),
    orientation
  }
}

/** A chunk whose name begins with a small letter does not change the picture. */
const isLeftOut = (name: string): boolean => name !== "tRNS" && /^[a-z]/.test(name)

const inflatesTo = (length: number, compressed: Buffer): boolean => {
  try {
    return (
      inflateSync(compressed, { chunkSize: photoLimits.inflatedPieceBytes, maxOutputLength: length }).length === length
    )
  } catch {
    return false
  }
}

const chunkOf = (name: string, content: Uint8Array): ReadonlyArray<Uint8Array> => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const checksum = Buffer.alloc(checksumLength)
  checksum.writeUInt32BE(crc32(content, crc32(name)))
  return [length, Buffer.from(name, "latin1"), content, checksum]
}

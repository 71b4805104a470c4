/**
 * The layout of a PNG file (PNG specification, 5 and 11.2.1): its chunks, and what the first chunk says about the picture.
 * `imageHeader.ts` judges whether such a picture is accepted. Nothing is decoded here.
 */
import { crc32 } from "node:zlib"

export const pngSignature: ReadonlyArray<number> = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

export interface PngChunk {
  /** Four letters. A capital first letter says that no decoder can show the picture without this chunk. */
  readonly name: string
  /** Where the content of the chunk starts. */
  readonly start: number
  readonly end: number
}

/** The checksum of a chunk follows its content. */
export const checksumLength = 4

/** Null: no whole chunk starts at `at`. */
export const pngChunkAt = (bytes: Uint8Array, at: number): PngChunk | null => {
  const start = at + 8
  if (start > bytes.length) return null
  const end = start + thirtyTwoBits(bytes, at)
  if (end + checksumLength > bytes.length) return null
  return { name: String.fromCharCode(...bytes.subarray(at + 4, start)), start, end }
}

/** The checksum covers the name and the content. */
export const isIntact = (bytes: Uint8Array, { end, start }: PngChunk): boolean =>
  crc32(bytes.subarray(start - 4, end)) === thirtyTwoBits(bytes, end)

const thirtyTwoBits = (bytes: Uint8Array, at: number): number => sixteen(bytes, at) * 0x1_0000 + sixteen(bytes, at + 2)

const sixteen = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

export interface PngHeader {
  readonly width: number
  readonly height: number
  readonly bitsPerPixel: number
  readonly interlaced: boolean
}

/** For each colour type, the samples of a pixel and the possible bits of a sample. */
const colourTypes: Readonly<Record<number, { readonly samples: number; readonly bits: ReadonlyArray<number> }>> = {
  0: { samples: 1, bits: [1, 2, 4, 8, 16] },
  2: { samples: 3, bits: [8, 16] },
  3: { samples: 1, bits: [1, 2, 4, 8] },
  4: { samples: 2, bits: [8, 16] },
  6: { samples: 4, bits: [8, 16] }
}

/** Null: the file does not begin with an intact header of a kind that exists. */
export const pngHeader = (bytes: Uint8Array): PngHeader | null => {
  const chunk = pngChunkAt(bytes, pngSignature.length)
  if (chunk === null || chunk.name !== "IHDR" || chunk.end - chunk.start !== 13 || !isIntact(bytes, chunk)) return null
  const width = thirtyTwoBits(bytes, chunk.start)
  const height = thirtyTwoBits(bytes, chunk.start + 4)
  const [bits = 0, colourType = -1, compression, filter, interlace] = bytes.subarray(chunk.start + 8, chunk.end)
  const colours = colourTypes[colourType]
  if (width === 0 || height === 0 || compression !== 0 || filter !== 0) return null
  if (colours === undefined || !colours.bits.includes(bits) || (interlace !== 0 && interlace !== 1)) return null
  return { width, height, bitsPerPixel: bits * colours.samples, interlaced: interlace === 1 }
}

/** For each of the seven passes of an interlaced picture, its first pixel and the distance between its pixels. */
const passes = [
  { left: 0, top: 0, across: 8, down: 8 },
  { left: 4, top: 0, across: 8, down: 8 },
  { left: 0, top: 4, across: 4, down: 8 },
  { left: 2, top: 0, across: 4, down: 4 },
  { left: 0, top: 2, across: 2, down: 4 },
  { left: 1, top: 0, across: 2, down: 2 },
  { left: 0, top: 1, across: 1, down: 2 }
]

/** The bytes of the picture before compression: for each row its pixels and one byte that names their filter. */
export const inflatedBytes = ({ bitsPerPixel, height, interlaced, width }: PngHeader): number => {
  const rows = (across: number, down: number): number =>
    across > 0 ? down * (1 + Math.ceil((across * bitsPerPixel) / 8)) : 0
  if (!interlaced) return rows(width, height)
  return passes
    .map(({ across, down, left, top }) => rows(Math.ceil((width - left) / across), Math.ceil((height - top) / down)))
    .reduce((sum, bytes) => sum + bytes, 0)
}

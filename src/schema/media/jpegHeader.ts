/**
 * The layout of a JPEG file (ITU T.81, annex B): its segments, and what its frame header says about the picture.
 * `imageHeader.ts` judges whether such a picture is accepted. Nothing is decoded here.
 */
import { sentPhotoLimits } from "./limits.ts"

/** The markers that this service looks for; each is the byte after 0xff. */
export const jpegMarker = {
  huffmanTables: 0xc4,
  endOfImage: 0xd9,
  scan: 0xda,
  quantizationTables: 0xdb,
  numberOfLines: 0xdc,
  restartInterval: 0xdd,
  jfif: 0xe0,
  exif: 0xe1,
  adobe: 0xee,
  comment: 0xfe
} as const

export interface JpegSegment {
  readonly marker: number
  /** Where the content of the segment starts, after its marker and length. */
  readonly start: number
  readonly end: number
}

/** The position after the start-of-image marker. */
export const firstJpegSegment = 2

export const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

const hasNoLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9)

/**
 * The first segment from `at` on. Null: no segment is whole. Like other decoders, this skips bytes between segments: some
 * phones write a wrong length into their metadata.
 */
export const nextJpegSegment = (bytes: Uint8Array, at: number): JpegSegment | null => {
  const last = Math.min(bytes.length, at + sentPhotoLimits.longestJpegGapBytes)
  let behind = at + 1
  // A 0xff is no marker when a zero or another 0xff follows it.
  while (behind < last && (bytes[behind - 1] !== 0xff || bytes[behind] === 0 || bytes[behind] === 0xff)) behind += 1
  if (behind >= last) return null
  const marker = bytes[behind] ?? 0
  const start = behind + 1
  if (hasNoLength(marker)) return { marker, start, end: start }
  if (start + 2 > bytes.length) return null
  const length = sixteenBits(bytes, start)
  return length < 2 || start + length > bytes.length ? null : { marker, start: start + 2, end: start + length }
}

export const sixteenBits = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

export interface JpegComponent {
  readonly id: number
  /** The number of 8 x 8 blocks that are decoded when the component has its own scan. */
  readonly blocks: number
  /** The same with the blocks that fill up the last column and row of a scan with several components. */
  readonly paddedBlocks: number
}

export interface JpegFrame {
  readonly progressive: boolean
  readonly width: number
  readonly height: number
  readonly components: ReadonlyArray<JpegComponent>
}

/** SOF0 to SOF15. Three markers in this range mean something else. */
export const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== jpegMarker.huffmanTables && marker !== 0xc8 && marker !== 0xcc

/**
 * Null: the frame is malformed, or of a kind that the decoder does not know, which is any frame that is lossless,
 * hierarchical or arithmetic-coded, has not 8 bits in a sample, or has not one, three or four components.
 */
export const jpegFrame = (bytes: Uint8Array, { end, marker, start }: JpegSegment): JpegFrame | null => {
  if (marker > 0xc2 || end - start < 6 || bytes[start] !== 8) return null
  const height = sixteenBits(bytes, start + 1)
  const width = sixteenBits(bytes, start + 3)
  const count = bytes[start + 5] ?? 0
  if (width === 0 || height === 0 || ![1, 3, 4].includes(count) || end - start !== 6 + 3 * count) return null
  const sampled = Array.from({ length: count }, (_, index) => {
    const [id = 0, factors = 0] = bytes.subarray(start + 6 + 3 * index)
    return { id, across: factors >> 4, down: factors & 15 }
  })
  if (sampled.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4)) return null
  if (new Set(sampled.map(({ id }) => id)).size < count) return null
  const most = {
    across: Math.max(...sampled.map(({ across }) => across)),
    down: Math.max(...sampled.map(({ down }) => down))
  }
  return {
    progressive: marker === 0xc2,
    width,
    height,
    components: sampled.map(({ across, down, id }) => ({
      id,
      blocks: blocksAlong(width, across, most.across) * blocksAlong(height, down, most.down),
      paddedBlocks: Math.ceil(width / 8 / most.across) * across * Math.ceil(height / 8 / most.down) * down
    }))
  }
}

const blocksAlong = (side: number, factor: number, most: number): number =>
  Math.ceil((Math.ceil(side / 8) * factor) / most)

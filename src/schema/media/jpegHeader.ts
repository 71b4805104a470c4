/**
 * How a JPEG file is laid out (ITU T.81, annex B): its segments, and what its frame header says of the picture. Whether
 * such a picture is welcome is judged by `imageHeader.ts`; nothing is decoded.
 */

/** Markers that are asked for by name; each is a byte behind 0xff. */
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
  /** Of what is in the segment, without its marker and length. */
  readonly start: number
  readonly end: number
}

/** Behind the start-of-image marker. */
export const firstJpegSegment = 2

export const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

const hasNoLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9)

/** Bytes: a segment is no longer, so no wrong length is further off. */
export const longestGap = 65_536

/**
 * The first segment from `at` on, null when none is whole. Bytes between segments are passed over as other decoders do:
 * some phones write a wrong length into their metadata.
 */
export const nextJpegSegment = (bytes: Uint8Array, at: number): JpegSegment | null => {
  const last = Math.min(bytes.length, at + longestGap)
  let behind = at + 1
  // Neither a zero nor another 0xff makes a marker of the 0xff before it.
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
  /** 8 x 8 blocks, as many as are decoded when the component has a scan of its own. */
  readonly blocks: number
  /** Those and the ones that fill up the last column and row of a scan with several components. */
  readonly paddedBlocks: number
}

export interface JpegFrame {
  readonly progressive: boolean
  readonly width: number
  readonly height: number
  readonly components: ReadonlyArray<JpegComponent>
}

/** SOF0 to SOF15, among which three other markers stand. */
export const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== jpegMarker.huffmanTables && marker !== 0xc8 && marker !== 0xcc

/**
 * Null when the frame is malformed, or of a kind the decoder does not know: lossless, hierarchical, arithmetic-coded,
 * with other than 8 bits a sample, or with other than one, three or four components.
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

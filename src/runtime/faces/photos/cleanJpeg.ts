/**
 * Prepares a JPEG for the decoder. It keeps only the segments of the picture and checks every length, so the decoder
 * reads the file in the same way, and its work is known before it begins. Two things are read from what is left out,
 * because they change the picture: how to turn it, and how its colours are meant.
 */
import {
  firstJpegSegment,
  isFrame,
  isRestart,
  jpegFrame,
  jpegMarker,
  nextJpegSegment,
  type JpegFrame,
  type JpegSegment
} from "../../../schema/media/jpegHeader.ts"
import { exifOrientation, type Orientation } from "./exifOrientation.ts"
import { photoLimits } from "../limits.ts"

export interface CleanJpeg {
  readonly bytes: Buffer<ArrayBuffer>
  readonly orientation: Orientation
  /** One for grey, three for colours, four for inks. */
  readonly components: number
  /** Whether the components are brightness and two colour differences, not red, green and blue. */
  readonly colorTransform: boolean
}

/** Null when the file is cut off, damaged, or made to keep the decoder busy. Bytes after the picture are not read. */
export const cleanJpeg = (photo: Uint8Array): CleanJpeg | null => {
  const kept: Array<Uint8Array> = [photo.subarray(0, firstJpegSegment)]
  const said = { adobeTransform: -1, isJfif: false, orientation: 0 as Orientation | 0 }
  const work = { scans: 0, blocks: 0 }
  const shown = new Set<number>()
  let frame: JpegFrame | null = null
  let at = firstJpegSegment
  for (;;) {
    const segment = nextJpegSegment(photo, at)
    if (segment === null) return null
    const { end, marker, start } = segment
    at = end
    if (marker === jpegMarker.endOfImage) break
    if (isFrame(marker)) {
      if (frame !== null) return null
      frame = jpegFrame(photo, segment)
      if (frame === null) return null
    } else if (marker === jpegMarker.scan) {
      const scan = frame === null ? null : scanOf(photo, segment, frame)
      if (scan === null) return null
      work.scans += 1
      work.blocks += scan.blocks
      if (work.scans > photoLimits.mostScans || work.blocks > photoLimits.mostBlocks) return null
      for (const id of scan.shows) shown.add(id)
      at = endOfScan(photo, end)
    } else if (marker >= jpegMarker.jfif) {
      if (marker === jpegMarker.jfif && begins(photo, segment, "JFIF\0")) said.isJfif = true
      if (marker === jpegMarker.adobe && begins(photo, segment, "Adobe") && end - start >= 12) {
        said.adobeTransform = photo[start + 11] ?? 0
      }
      if (marker === jpegMarker.exif && said.orientation === 0 && begins(photo, segment, "Exif\0\0")) {
        said.orientation = exifOrientation(photo.subarray(start + 6, end))
      }
      continue
    } else if (marker === jpegMarker.numberOfLines) continue
    else if (!isTable(photo, segment)) return null
    kept.push(photo.subarray(start - 4, at))
  }
  if (frame === null || frame.components.some(({ id }) => !shown.has(id))) return null
  const components = frame.components.length
  const colorTransform = isTransformed(frame, said)
  // Only Adobe's segment says whether 255 means all ink or none.
  if (components === 4 && said.adobeTransform < 0) return null
  if (components === 4) kept.splice(1, 0, adobeSegment(said.adobeTransform))
  // What the segments that are left out have said of the colours is said in one way that every decoder takes.
  if (components === 3) kept.splice(1, 0, adobeSegment(colorTransform ? 1 : 0))
  return {
    bytes: Buffer.concat([...kept, endOfImage]),
    orientation: said.orientation === 0 ? 1 : said.orientation,
    components,
    colorTransform
  }
}

const endOfImage = Buffer.from([0xff, jpegMarker.endOfImage])

const adobeSegment = (transform: number): Buffer =>
  Buffer.from([0xff, jpegMarker.adobe, 0, 14, ...Buffer.from("Adobe"), 0, 100, 0, 0, 0, 0, transform])

/** Decided as other decoders decide it: by Adobe's segment, by JFIF's segment, by the names of the components. */
const isTransformed = (
  { components }: JpegFrame,
  said: { readonly adobeTransform: number; readonly isJfif: boolean }
): boolean => {
  if (said.adobeTransform >= 0) return said.adobeTransform !== 0
  return said.isJfif || String.fromCharCode(...components.map(({ id }) => id)) !== "RGB"
}

const begins = (photo: Uint8Array, { end, start }: JpegSegment, word: string): boolean =>
  start + word.length <= end && Array.from(word).every((letter, at) => photo[start + at] === letter.charCodeAt(0))

interface Scan {
  readonly blocks: number
  /** The components that are visible from this scan on. */
  readonly shows: ReadonlyArray<number>
}

const scanOf = (photo: Uint8Array, { end, start }: JpegSegment, frame: JpegFrame): Scan | null => {
  const count = photo[start] ?? 0
  if (count < 1 || end - start !== 4 + 2 * count) return null
  const ids = new Set(Array.from({ length: count }, (_, index) => photo[start + 1 + 2 * index]))
  const components = frame.components.filter(({ id }) => ids.has(id))
  if (components.length !== count) return null
  const [first = 64, last = 64] = photo.subarray(end - 3)
  const isWhole = frame.progressive ? (first === 0 ? last === 0 : count === 1) : first === 0 && last === 63
  if (!isWhole || first > last || last > 63) return null
  const [only] = components
  return {
    blocks:
      count === 1 && only !== undefined
        ? only.blocks
        : components.reduce((sum, { paddedBlocks }) => sum + paddedBlocks, 0),
    shows: first === 0 ? components.map(({ id }) => id) : []
  }
}

/** The position of the first marker that does not belong to a scan. */
const endOfScan = (photo: Uint8Array, start: number): number => {
  let at = photo.indexOf(0xff, start)
  while (at >= 0) {
    const next = photo[at + 1] ?? 0
    if (next !== 0 && !isRestart(next)) return at
    at = photo.indexOf(0xff, at + 2)
  }
  return photo.length
}

/**
 * Whether the segment is a table with right lengths. A restart outside a scan, or a segment of unknown meaning, is
 * none.
 */
const isTable = (photo: Uint8Array, { end, marker, start }: JpegSegment): boolean => {
  if (marker === jpegMarker.restartInterval) return end - start === 2
  if (marker === jpegMarker.quantizationTables) return areQuantizationTables(photo, start, end)
  return marker === jpegMarker.huffmanTables && areHuffmanTables(photo, start, end)
}

const areQuantizationTables = (photo: Uint8Array, start: number, end: number): boolean => {
  let at = start
  while (at < end) {
    const kind = photo[at] ?? 0
    if (kind >> 4 > 1 || (kind & 15) > 3) return false
    at += 1 + (kind >> 4 === 0 ? 64 : 128)
  }
  return at === end
}

const areHuffmanTables = (photo: Uint8Array, start: number, end: number): boolean => {
  let at = start
  while (at < end) {
    const kind = photo[at] ?? 0
    const values = photo.subarray(at + 1, Math.min(at + 17, end)).reduce((sum, count) => sum + count, 0)
    if (kind >> 4 > 1 || (kind & 15) > 3 || values > 256) return false
    at += 17 + values
  }
  return at === end
}

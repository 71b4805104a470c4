/**
 * What the first bytes of a photo say: its type, whatever its label, and its size in pixels; and whether it is small and
 * plain enough to be decoded. It reads headers only, and
 * few of them, so that the thread that answers requests can ask.
 */
import {
  firstJpegSegment,
  isFrame,
  jpegFrame,
  jpegMarker,
  longestGap,
  nextJpegSegment,
  type JpegSegment
} from "./jpegHeader.ts"
import { inflatedBytes, pngHeader, pngSignature } from "./pngHeader.ts"

export interface ImageHeader {
  readonly type: "JPEG" | "PNG"
  /** As stored: EXIF may say to turn it. */
  readonly width: number
  readonly height: number
}

/** `problem` is for whoever sent the photo. */
export interface ImageProblem {
  readonly problem: string
}

/**
 * Cameras make 12 or 24 megapixels and fit them into the 5 MB a photo may have. Decoding takes about 25 bytes of memory
 * and 100 nanoseconds a pixel, and twice the time for the oddest kinds.
 */
export const mostPixels = 25_000_000

/** No camera's photo is longer; a strip of pixels is none. */
export const longestSide = 12_000

/**
 * Decoding a JPEG takes memory by samples, of which a pixel has one and a half, two, three or four. 40 million take 600
 * megabytes, and suffice for the most pixels with the colours at half their size, as cameras store them, and for 13
 * megapixels with full colours.
 */
export const mostJpegSamples = 40_000_000

/** The most pixels with four bytes each, and what begins their rows. */
export const mostInflatedBytes = 4 * mostPixels + 2 * longestSide

const samplesPerBlock = 64

/** What the first bytes say the photo is, whatever its label (decision V8). */
export const imageType = (photo: Uint8Array): "JPEG" | "PNG" | "OTHER" => {
  if (photo[0] === 0xff && photo[1] === 0xd8 && photo[2] === 0xff) return "JPEG"
  return pngSignature.every((byte, at) => photo[at] === byte) ? "PNG" : "OTHER"
}

export const imageHeader = (photo: Uint8Array): ImageHeader | ImageProblem => {
  const type = imageType(photo)
  if (type === "OTHER") return { problem: "must be a JPEG or PNG image" }
  return type === "JPEG" ? judgeJpeg(photo) : judgePng(photo)
}

export const damaged = (type: "JPEG" | "PNG"): ImageProblem => ({
  problem: `must be a whole and undamaged ${type} image`
})

const judgeJpeg = (photo: Uint8Array): ImageHeader | ImageProblem => {
  const segment = frameSegment(photo)
  if (segment === null) return damaged("JPEG")
  const frame = jpegFrame(photo, segment)
  if (frame === null) {
    return { problem: "must be a baseline or progressive JPEG image with Huffman coding and 8 bits a sample" }
  }
  const blocks = frame.components.reduce((sum, { paddedBlocks }) => sum + paddedBlocks, 0)
  return judgeSize(
    { type: "JPEG", width: frame.width, height: frame.height },
    blocks * samplesPerBlock > mostJpegSamples
  )
}

/** Null when there is none within reach: however a file is filled, looking for its frame takes no time. */
const frameSegment = (photo: Uint8Array): JpegSegment | null => {
  let at = firstJpegSegment
  // What is read on the way: the segments' markers and lengths, and what is between them.
  let read = 0
  while (read <= longestGap) {
    const segment = nextJpegSegment(photo, at)
    if (segment === null || isFrame(segment.marker)) return segment
    if (segment.marker === jpegMarker.scan || segment.marker === jpegMarker.endOfImage) return null
    read += segment.start - at
    at = segment.end
  }
  return null
}

const judgePng = (photo: Uint8Array): ImageHeader | ImageProblem => {
  const header = pngHeader(photo)
  if (header === null) return damaged("PNG")
  return judgeSize(
    { type: "PNG", width: header.width, height: header.height },
    inflatedBytes(header) > mostInflatedBytes
  )
}

const judgeSize = (header: ImageHeader, isTooDetailed: boolean): ImageHeader | ImageProblem => {
  if (Math.max(header.width, header.height) > longestSide) {
    return { problem: `must be at most ${longestSide} pixels wide and high` }
  }
  if (header.width * header.height > mostPixels) return { problem: `must have at most ${mostPixels} pixels` }
  return isTooDetailed ? { problem: "must have fewer pixels, or less detailed colours" } : header
}

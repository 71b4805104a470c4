/**
 * What the first bytes of a photo say: its type, whatever its label says, and its size in pixels; and whether the photo is
 * small and plain enough to be decoded. This file reads only a few headers, so that the thread that answers requests can
 * afford it. Nothing is decoded here.
 */
import { sentPhotoLimits } from "./limits.ts"
import { firstJpegSegment, isFrame, jpegFrame, jpegMarker, nextJpegSegment, type JpegSegment } from "./jpegHeader.ts"
import { inflatedBytes, pngHeader, pngSignature } from "./pngHeader.ts"

export interface ImageHeader {
  readonly type: "JPEG" | "PNG"
  /** As stored: EXIF may say that the picture is to be turned. */
  readonly width: number
  readonly height: number
}

/** `problem` is shown to the sender of the photo. */
export interface ImageProblem {
  readonly problem: string
}

const samplesPerBlock = 64

/** The type that the first bytes say, whatever the label says (decision V8). */
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
    blocks * samplesPerBlock > sentPhotoLimits.mostJpegSamples
  )
}

/** Null: the first segments hold no frame. The search is short, whatever a file is filled with. */
const frameSegment = (photo: Uint8Array): JpegSegment | null => {
  let at = firstJpegSegment
  // Bytes read so far: the markers and lengths of the segments, and the bytes between segments.
  let read = 0
  while (read <= sentPhotoLimits.longestJpegGapBytes) {
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
    inflatedBytes(header) > sentPhotoLimits.mostInflatedBytes
  )
}

const judgeSize = (header: ImageHeader, isTooDetailed: boolean): ImageHeader | ImageProblem => {
  if (Math.max(header.width, header.height) > sentPhotoLimits.longestSidePixels) {
    return { problem: `must be at most ${sentPhotoLimits.longestSidePixels} pixels wide and high` }
  }
  if (header.width * header.height > sentPhotoLimits.mostPixels)
    return { problem: `must have at most ${sentPhotoLimits.mostPixels} pixels` }
  return isTooDetailed ? { problem: "must have fewer pixels, or less detailed colours" } : header
}

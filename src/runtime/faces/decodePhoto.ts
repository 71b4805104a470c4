/**
 * Reads a photo, JPEG or PNG, and gives its picture: upright, opaque, small enough to be looked at, and encoded again
 * without anything but the picture. It takes seconds and hundreds of megabytes for the largest photos, so only the
 * threads of `PhotoPool.ts` call it. Colour profiles are not applied; what faces are found by, and are recognised by, is
 * the same without.
 */
import jpegCodec from "@jimp/js-jpeg"
import pngCodec from "@jimp/js-png"
import { damaged, imageHeader, type ImageHeader, type ImageProblem } from "../../schema/media/imageHeader.ts"
import { cleanJpeg } from "./cleanJpeg.ts"
import { cleanPng } from "./cleanPng.ts"
import { encodeJpeg } from "./encodeJpeg.ts"
import type { Orientation } from "./exifOrientation.ts"
import { isTurnedSideways, uprightPicture, type Decoded, type UprightPicture } from "./uprightPicture.ts"
import { photoLimits } from "./limits.ts"

export interface DecodedPhoto extends UprightPicture {
  /** Upright, as sent. */
  readonly originalWidth: number
  readonly originalHeight: number
  /** The same picture, and nothing else. */
  readonly jpeg: Uint8Array
}

/** Throws where memory runs out: that is no fault of the photo, whose size was judged before. */
export const decodePhoto = (photo: Uint8Array): DecodedPhoto | ImageProblem => {
  const header = imageHeader(photo)
  if ("problem" in header) return header
  const decoded = decode(photo, header)
  if (decoded === null) return damaged(header.type)
  const { orientation } = decoded
  const picture = uprightPicture(decoded, orientation, photoLimits.longestSidePixels)
  const { height, width } = header
  const [originalWidth, originalHeight] = isTurnedSideways(orientation) ? [height, width] : [width, height]
  return { ...picture, originalWidth, originalHeight, jpeg: encodeJpeg(picture) }
}

type Turned = Decoded & { readonly orientation: Orientation }

const decode = (photo: Uint8Array, { type }: ImageHeader): Turned | null => {
  if (type === "PNG") {
    const clean = cleanPng(photo)
    return clean && decodeClean(() => pngCodec().decode(clean.bytes), clean.orientation)
  }
  const clean = cleanJpeg(photo)
  const options = { colorTransform: clean?.colorTransform ?? true }
  return clean && decodeClean(() => jpegCodec().decode(clean.bytes, options), clean.orientation)
}

/** The decoders throw whatever comes to hand when a picture is damaged. */
const decodeClean = (run: () => Decoded, orientation: Orientation): Turned | null => {
  try {
    return { ...run(), orientation }
  } catch (error) {
    if (error instanceof RangeError && error.message.includes("allocation")) throw error
    return null
  }
}

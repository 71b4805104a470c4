/**
 * Reads a JPEG or PNG photo and gives its picture: upright, opaque and small enough to be looked at. The largest photos take seconds and hundreds of megabytes, so only the processes of
 * `PhotoPool.ts` call this. Colour profiles are not applied, because faces are found and recognised equally well
 * without them.
 */
import pngCodec from "@jimp/js-png"
import { damaged, imageHeader, type ImageHeader, type ImageProblem } from "../../../schema/media/imageHeader.ts"
import { cleanJpeg } from "./cleanJpeg.ts"
import { cleanPng } from "./cleanPng.ts"
import { decodeJpeg } from "./decodeJpeg.ts"
import type { Orientation } from "./exifOrientation.ts"
import { isTurnedSideways, uprightPicture, type Decoded, type UprightPicture } from "./uprightPicture.ts"
import { photoLimits } from "../limits.ts"

export interface DecodedPhoto extends UprightPicture {
  /** The size of the photo as it was sent, but upright. */
  readonly originalWidth: number
  readonly originalHeight: number
}

/** Throws when memory runs out. This is not the photo's fault, because its size was judged before. */
export const decodePhoto = (photo: Uint8Array): DecodedPhoto | ImageProblem => {
  const header = imageHeader(photo)
  if ("problem" in header) return header
  const decoded = decodeImage(photo, header)
  if (decoded === null) return damaged(header.type)
  const { orientation } = decoded
  const picture = uprightPicture(decoded, orientation, photoLimits.longestSidePixels)
  const { height, width } = header
  const [originalWidth, originalHeight] = isTurnedSideways(orientation) ? [height, width] : [width, height]
  return { ...picture, originalWidth, originalHeight }
}

/** A decoded image and how it has to be turned. */
export type Turned = Decoded & { readonly orientation: Orientation }

/** Null when the image is damaged. Throws like `decodePhoto`. */
export const decodeImage = (photo: Uint8Array, { type }: ImageHeader): Turned | null => {
  if (type === "PNG") {
    const clean = cleanPng(photo)
    return clean && decodeClean(() => pngCodec().decode(clean.bytes), clean.orientation)
  }
  const clean = cleanJpeg(photo)
  return clean && decodeClean(() => decodeJpeg(clean), clean.orientation)
}

/** The decoders throw anything at all when a picture is damaged. */
const decodeClean = (run: () => Decoded, orientation: Orientation): Turned | null => {
  try {
    return { ...run(), orientation }
  } catch (error) {
    if (error instanceof RangeError && error.message.includes("allocation")) throw error
    return null
  }
}

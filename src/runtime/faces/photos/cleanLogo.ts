/**
 * Decodes a logo and encodes it anew: upright, no larger than pages show it, with its transparency, and with nothing else
 * in the file. A logo stays the kind of image that it was, because photographs grow as PNG and drawings blur as JPEG. Only
 * the processes of `PhotoPool.ts` call this.
 */
import pngCodec from "@jimp/js-png"
import { hash } from "node:crypto"
import type { CleanLogo } from "../../../actors/company/LogoCheck.ts"
import { companyLimits } from "../../../schema/company/limits.ts"
import { damaged, imageHeader, type ImageProblem } from "../../../schema/media/imageHeader.ts"
import { decodeImage, type Turned } from "./decodePhoto.ts"
import { encodeJpeg } from "./encodeJpeg.ts"
import { uprightPicture } from "./uprightPicture.ts"

const { highestKeptLogoPixels, largestKeptLogoBytes, widestKeptLogoPixels } = companyLimits

/** The longer side of the picture once it fits its box. A picture is never made larger. */
const longestSideOf = ({ height, width }: Turned): number =>
  Math.max(width, height) * Math.min(1, widestKeptLogoPixels / width, highestKeptLogoPixels / height)

/** A picture on white, and how opaque it is, are shrunk apart. Together they give back the colour of each pixel. */
const encodePng = (
  decoded: Turned
): { readonly bytes: Uint8Array; readonly width: number; readonly height: number } => {
  const side = longestSideOf(decoded)
  const onWhite = uprightPicture(decoded, decoded.orientation, side)
  const opaqueness = uprightPicture({ ...decoded, data: asGrey(decoded.data) }, decoded.orientation, side)
  const { height, width } = onWhite
  const data = Buffer.alloc(width * height * 4)
  for (let from = 0, to = 0; to < data.length; from += 3, to += 4) {
    const opaque = opaqueness.pixels[from]! / 255
    for (let colour = 0; colour < 3; colour += 1) {
      const seen = onWhite.pixels[from + colour]! - 255 * (1 - opaque)
      data[to + colour] = opaque === 0 ? 0 : Math.max(0, Math.min(255, Math.round(seen / opaque)))
    }
    data[to + 3] = opaqueness.pixels[from]!
  }
  return { bytes: new Uint8Array(pngCodec().encode({ data, width, height })), width, height }
}

/** The opaqueness of each pixel as a grey and opaque picture. */
const asGrey = (data: Uint8Array): Uint8Array => data.map((_, at) => (at % 4 === 3 ? 255 : data[at - (at % 4) + 3]!))

const encode = (decoded: Turned, type: "JPEG" | "PNG") => {
  if (type === "PNG") return { type: "image/png" as const, ...encodePng(decoded) }
  const picture = uprightPicture(decoded, decoded.orientation, longestSideOf(decoded))
  const { height, width } = picture
  return { type: "image/jpeg" as const, bytes: new Uint8Array(encodeJpeg(picture)), width, height }
}

export const cleanLogo = (image: Uint8Array): CleanLogo | ImageProblem => {
  const header = imageHeader(image)
  if ("problem" in header) return header
  const decoded = decodeImage(image, header)
  if (decoded === null) return damaged(header.type)
  const { bytes, height, type, width } = encode(decoded, header.type)
  return bytes.length > largestKeptLogoBytes
    ? { problem: "has too many details for a logo: send one with fewer colours, or a smaller one" }
    : { digest: hash("sha256", bytes, "hex"), type, width, height, bytes }
}

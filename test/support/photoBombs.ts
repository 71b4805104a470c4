/**
 * Small files that would take much memory or time if the service believed their headers, each with the expected
 * outcome.
 */
import { constants, deflateRawSync } from "node:zlib"
import {
  facePhoto,
  facePhotoOf,
  facePng,
  hugePng,
  pngChunk,
  pngFile,
  withChunk,
  withScans,
  withSegment,
  withSize
} from "./photos.ts"

export interface Bomb {
  readonly name: string
  readonly photo: () => Buffer
  /** Whether the picture itself is fine and only its metadata inflates. */
  readonly isTaken: boolean
}

const mebibyte = 1024 * 1024

const many = (count: number, piece: Uint8Array): Buffer => Buffer.alloc(count * piece.length, piece)

/**
 * Bytes that inflate to so many zeroes, a thousand times their size: one block of zeroes many times over, an empty last
 * block, and Adler's checksum, which for zeroes follows from their number.
 */
const zeroes = (size: number): Buffer => {
  const atOnce = 16 * mebibyte
  const block = deflateRawSync(Buffer.alloc(atOnce), { finishFlush: constants.Z_FULL_FLUSH })
  const end = Buffer.from([3, 0, 0, 0, 0, 1])
  end.writeUInt16BE(size % 65_521, 2)
  return Buffer.concat([Buffer.from([0x78, 0x9c]), many(size / atOnce, block), end])
}
const swollen = 4096 * mebibyte

const refused = (name: string, photo: () => Buffer): Bomb => ({ name, photo, isTaken: false })
const taken = (name: string, photo: () => Buffer): Bomb => ({ name, photo, isTaken: true })

/** A photo that claims this side and repeats its last scan again and again. */
const scanned = (times: number, side: number): Buffer =>
  withScans(withSize(facePhotoOf("progressive"), side, side), times)

export const photoBombs = (): ReadonlyArray<Bomb> => {
  const png = facePng()
  const pixels = png.indexOf("IDAT") - 4
  return [
    refused("pixels of 4 GB in a PNG of a hundred", () =>
      pngFile({ width: 10, height: 10 }, [pngChunk("IDAT", zeroes(swollen))])
    ),
    refused("the same, interlaced", () =>
      pngFile({ width: 10, height: 10, interlaced: true }, [pngChunk("IDAT", zeroes(swollen))])
    ),
    refused("4 GB in a PNG of 25 megapixels", () =>
      pngFile({ width: 5000, height: 5000 }, [pngChunk("IDAT", zeroes(swollen))])
    ),
    refused("a PNG of 196 megapixels", hugePng),
    refused("a JPEG that says 65,535 x 65,535", () => withSize(facePhoto(), 65_535, 65_535)),
    refused("a JPEG of 1,000 scans", () => scanned(1000, 301)),
    refused("a JPEG of 40 scans over 25 megapixels", () => scanned(40, 5000)),
    refused("a JPEG of 25 megapixels and no more bytes", () => withSize(facePhoto(), 5000, 5000)),
    refused("400,000 empty chunks", () =>
      Buffer.concat([png.subarray(0, pixels), many(400_000, pngChunk("IDAT", "")), png.subarray(pixels, -20)])
    ),
    refused("a JPEG of a million empty segments", () =>
      Buffer.concat([
        facePhoto().subarray(0, 2),
        many(1_000_000, Buffer.from([0xff, 0xe5, 0, 2])),
        facePhoto().subarray(2)
      ])
    ),
    taken("words of 4 GB in a PNG", () =>
      withChunk(png, "zTXt", Buffer.concat([Buffer.from("Comment\0\0"), zeroes(swollen)]))
    ),
    taken("a colour profile of 4 GB in a PNG", () =>
      withChunk(png, "iCCP", Buffer.concat([Buffer.from("profile\0\0"), zeroes(swollen)]))
    ),
    taken("a JPEG of 70 segments of 64 KB", () =>
      Array.from({ length: 70 }).reduce<Buffer>(
        (photo) => withSegment(photo, 0xe2, Buffer.alloc(65_000, 1)),
        facePhoto()
      )
    )
  ]
}

import { sentPhotoLimits } from "../../../src/schema/media/limits.ts"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { imageHeader, imageType, type ImageHeader, type ImageProblem } from "../../../src/schema/media/imageHeader.ts"
import { largestPhotoBytes } from "../../../src/schema/start/rules.ts"
import {
  facePhoto,
  facePhotoOf,
  faceSize,
  hugePng,
  pngBomb,
  pngFile,
  withChunk,
  withFrame,
  withSegment,
  withSize
} from "../../support/photos.ts"

const problemOf = (read: ImageHeader | ImageProblem): string => ("problem" in read ? read.problem : "none")

const otherFiles = {
  GIF: "GIF89a",
  WebP: "RIFF\x24\0\0\0WEBPVP8 ",
  BMP: "BM\x36\0\0\0",
  TIFF: "II*\0",
  HEIC: "\0\0\0\x18ftypheic",
  AVIF: "\0\0\0\x1cftypavif",
  SVG: "<svg xmlns='http://www.w3.org/2000/svg'>",
  PDF: "%PDF-1.7",
  ZIP: "PK\x03\x04",
  HTML: "<!doctype html>",
  ELF: "\x7fELF",
  nothing: ""
}

describe("the type of a photo", () => {
  it.each(Object.entries(otherFiles))("is neither JPEG nor PNG for %s", (_, content) => {
    const file = Buffer.concat([Buffer.from(content, "latin1"), Buffer.alloc(64)])
    expect(imageType(file)).toBe("OTHER")
    expect(problemOf(imageHeader(file))).toBe("must be a JPEG or PNG image")
  })

  it("is told by the first bytes and not by what is said elsewhere", () => {
    expect(imageType(facePhoto())).toBe("JPEG")
    expect(imageType(pngFile({ width: 1, height: 1 }, []))).toBe("PNG")
  })
})

describe("the header of a photo", () => {
  it("has the size of every kind of JPEG that can be decoded", () => {
    for (const kind of ["progressive", "restart", "grey", "rgb", "cmyk", "ycck"] as const) {
      expect(imageHeader(facePhotoOf(kind))).toEqual({ type: "JPEG", ...faceSize })
    }
  })

  it("is found behind metadata, fill bytes, and bytes between segments", () => {
    const [start, rest] = [facePhoto().subarray(0, 2), facePhoto().subarray(2)]
    const metadata = withSegment(start, 0xe1, Buffer.alloc(60_000, 0xff))
    const photo = Buffer.concat([metadata, Buffer.from([1, 2, 0xff, 0, 0xff, 0xff, 0xff]), rest])
    expect(imageHeader(photo)).toEqual({ type: "JPEG", ...faceSize })
  })

  it("is not taken from the thumbnail within metadata", () => {
    expect(imageHeader(withSegment(facePhoto(), 0xe1, withSize(facePhoto(), 9, 9)))).toMatchObject(faceSize)
  })

  it("is read of a PNG whatever chunks follow", () => {
    const png = withChunk(pngFile({ width: 40, height: 30 }, []), "acTL", Buffer.alloc(8))
    expect(imageHeader(png)).toEqual({ type: "PNG", width: 40, height: 30 })
  })
})

describe("a photo is refused by its header", () => {
  it("when it has more pixels than a camera's", () => {
    const side = Math.sqrt(sentPhotoLimits.mostPixels)
    const much = `must have at most ${sentPhotoLimits.mostPixels} pixels`
    expect(problemOf(imageHeader(withSize(facePhoto(), side, side)))).toBe("none")
    expect(problemOf(imageHeader(withSize(facePhoto(), side + 1, side)))).toBe(much)
    expect(problemOf(imageHeader(pngFile({ width: side, height: side }, [])))).toBe("none")
    expect(problemOf(imageHeader(pngFile({ width: side, height: side + 1 }, [])))).toBe(much)
  })

  it("when a side is longer than a camera's", () => {
    const long = `must be at most ${sentPhotoLimits.longestSidePixels} pixels wide and high`
    expect(problemOf(imageHeader(withSize(facePhoto(), sentPhotoLimits.longestSidePixels, 1)))).toBe("none")
    expect(problemOf(imageHeader(withSize(facePhoto(), 1, sentPhotoLimits.longestSidePixels + 1)))).toBe(long)
    expect(problemOf(imageHeader(pngFile({ width: sentPhotoLimits.longestSidePixels + 1, height: 1 }, [])))).toBe(long)
    expect(problemOf(imageHeader(hugePng()))).toBe(long)
    expect(problemOf(imageHeader(pngFile({ width: 0xffff_ffff, height: 0xffff_ffff }, [])))).toBe(long)
  })

  it("when its colours take more memory than its pixels may", () => {
    const detailed = "must have fewer pixels, or less detailed colours"
    const fullColour = withFrame(facePhoto(), [[7, 0x11]])
    expect(problemOf(imageHeader(withSize(fullColour, 4000, 3000)))).toBe("none")
    expect(problemOf(imageHeader(withSize(fullColour, 5000, 3000)))).toBe(detailed)
    expect(problemOf(imageHeader(withSize(withFrame(facePhoto(), [[7, 0x44]]), 5000, 5000)))).toBe("none")
    expect(problemOf(imageHeader(withSize(facePhotoOf("cmyk"), 4000, 3000)))).toBe(detailed)
    expect(problemOf(imageHeader(pngFile({ width: 5000, height: 5000, colourType: 6 }, [])))).toBe("none")
    expect(problemOf(imageHeader(pngFile({ width: 5000, height: 5000, colourType: 6, bits: 16 }, [])))).toBe(detailed)
  })

  it("when it is a JPEG the decoder does not know", () => {
    const unknown = "must be a baseline or progressive JPEG image with Huffman coding and 8 bits a sample"
    expect(problemOf(imageHeader(facePhotoOf("arithmetic")))).toBe(unknown)
    for (const kind of [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xcb, 0xcd, 0xcf]) {
      expect(problemOf(imageHeader(withFrame(facePhoto(), [[-3, kind]])))).toBe(unknown)
    }
    expect(problemOf(imageHeader(withFrame(facePhoto(), [[0, 12]])))).toBe(unknown)
    expect(problemOf(imageHeader(withFrame(facePhoto(), [[5, 2]])))).toBe(unknown)
    expect(problemOf(imageHeader(withFrame(facePhoto(), [[7, 0xf1]])))).toBe(unknown)
    expect(problemOf(imageHeader(withFrame(facePhoto(), [[9, 1]])))).toBe(unknown)
  })

  it("when it has no width or height", () => {
    expect(problemOf(imageHeader(withSize(facePhoto(), 0, 5)))).not.toBe("none")
    expect(problemOf(imageHeader(withSize(facePhoto(), 5, 0)))).not.toBe("none")
    expect(problemOf(imageHeader(pngFile({ width: 0, height: 5 }, [])))).toBe("must be a whole and undamaged PNG image")
  })

  it("when its PNG header is damaged or of no kind that exists", () => {
    const whole = pngFile({ width: 5, height: 5 }, [])
    for (let at = 8; at < 33; at += 1) {
      const changed = Buffer.from(whole)
      changed[at]! ^= 1
      expect(problemOf(imageHeader(changed))).toBe("must be a whole and undamaged PNG image")
    }
    for (const [colourType, bits] of [
      [3, 16],
      [2, 4],
      [6, 1],
      [1, 8],
      [5, 8],
      [0, 3]
    ] as const) {
      expect(problemOf(imageHeader(pngFile({ width: 5, height: 5, colourType, bits }, [])))).not.toBe("none")
    }
  })

  it("when it ends within the header", () => {
    for (const photo of [facePhoto(), pngBomb(100)]) {
      const frame = photo.indexOf(Buffer.from([0xff, 0xc0])) + 2 + 17
      const needed = imageType(photo) === "JPEG" ? frame : 33
      for (let length = 8; length < needed; length += 1) {
        expect(problemOf(imageHeader(photo.subarray(0, length)))).not.toBe("none")
      }
      expect(problemOf(imageHeader(photo.subarray(0, needed)))).toBe("none")
    }
  })
})

const judge = (file: Uint8Array) => {
  const read = imageHeader(file)
  if ("problem" in read) expect(read.problem).toMatch(/^must /)
  else expect(read.width * read.height).toBeLessThanOrEqual(sentPhotoLimits.mostPixels)
}

describe("any bytes at all", () => {
  const beginnings = [[0xff, 0xd8, 0xff], Array.from(pngFile({ width: 5, height: 5 }, []).subarray(0, 16))]

  it("are read or refused, and never more", () => {
    fc.assert(
      fc.property(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 4000 }), (beginning, rest) => {
        judge(Uint8Array.from([...beginning, ...rest]))
      })
    )
    const photos = [facePhoto(), facePhotoOf("progressive"), pngFile({ width: 5, height: 5 }, [])]
    fc.assert(
      fc.property(fc.constantFrom(...photos), fc.nat(), fc.nat(255), (photo, at, byte) => {
        const changed = Buffer.from(photo)
        changed[3 + (at % 600)] = byte
        judge(changed)
      }),
      { numRuns: 1000 }
    )
  })

  it("are hardly read, however long", () => {
    const farApart = [...Buffer.alloc(30_000), 0xff, 0xe0, 0, 2]
    const fillers = [[0xff], [0], [0xff, 0], [0xff, 0xe0, 0, 2], [0xff, 0xd0], [0xff, 0xff, 0xe0, 0, 3, 0xff], farApart]
    for (const filler of fillers) {
      let reads = 0
      const file = Buffer.alloc(largestPhotoBytes, Buffer.from(filler))
      const counted = new Proxy(file, {
        get: (bytes, name) => {
          reads += 1
          return Reflect.get(bytes, name) as unknown
        }
      })
      file.set([0xff, 0xd8, 0xff])
      expect(problemOf(imageHeader(counted))).toBe("must be a whole and undamaged JPEG image")
      expect(reads).toBeLessThan(400_000)
    }
  })
})

import { describe, expect, it } from "vitest"
import { photoLimits } from "../../../src/runtime/faces/limits.ts"
import {
  exifBlock,
  facePhoto,
  facePhotoOf,
  faceSize,
  pngChunk,
  pngOf,
  withChunk,
  withOrientation,
  withSegment,
  type Pixels
} from "../../support/photos.ts"
import { cropped, decoded, distance, keptOf, mapped } from "../../support/pictures.ts"

const face = decoded(facePhoto())
/** An eye, for what is the same however large the picture. */
const eye = cropped(face, 60, 90, 61, 47)
const inGrey = (picture: Pixels): Pixels => mapped(picture, (_, at) => picture.pixels[at - (at % 3) + 1] ?? 0)

describe("a photo is decoded to the same picture", () => {
  it.each([
    ["progressive", 0.5],
    ["restart", 4],
    ["rgb", 8],
    ["cmyk", 8],
    ["ycck", 8]
  ] as const)("as a %s JPEG", (kind, most) => {
    expect(distance(decoded(facePhotoOf(kind)), face)).toBeLessThan(most)
  })

  it("without its colours as a grey JPEG", () => {
    const grey = decoded(facePhotoOf("grey"))
    expect(grey.pixels.every((sample, at) => sample === grey.pixels[at - (at % 3)])).toBe(true)
    expect(distance(grey, inGrey(face))).toBeLessThan(12)
  })

  it.each([false, true])("as a PNG of every kind, exactly (interlaced: %s)", (interlaced) => {
    for (const bits of [8, 16] as const) {
      expect(distance(decoded(pngOf(eye, { colours: "rgb", bits, interlaced })), eye)).toBe(0)
      expect(distance(decoded(pngOf(eye, { colours: "rgba", bits, interlaced })), eye)).toBe(0)
      expect(distance(decoded(pngOf(eye, { colours: "grey", bits, interlaced })), inGrey(eye))).toBe(0)
      expect(distance(decoded(pngOf(eye, { colours: "greyAlpha", bits, interlaced })), inGrey(eye))).toBe(0)
    }
    for (const bits of [1, 2, 4] as const) {
      const steps = 2 ** bits - 1
      const coarse = mapped(inGrey(eye), (sample) => Math.round(((sample >> (8 - bits)) * 255) / steps))
      expect(distance(decoded(pngOf(eye, { colours: "grey", bits, interlaced })), coarse)).toBe(0)
    }
    const palette = Uint8Array.from([10, 20, 30, 200, 180, 160, 90, 80, 70])
    const coloured = mapped(eye, (_, at) => palette[((Math.floor(at / 3) * 7) % 3) * 3 + (at % 3)] ?? 0)
    for (const bits of [2, 4, 8] as const) {
      expect(distance(decoded(pngOf(coloured, { colours: "palette", bits, interlaced, palette })), coloured)).toBe(0)
    }
  })

  it("on white where it is transparent", () => {
    const pale = mapped(eye, (sample) => Math.round(sample * 0.2 + 255 * 0.8))
    expect(distance(decoded(pngOf(eye, { colours: "rgba", alpha: 51 })), pale)).toBe(0)
    const white = mapped(eye, () => 255)
    expect(distance(decoded(pngOf(eye, { colours: "rgba", bits: 16, alpha: 0 })), white)).toBe(0)
    const palette = Uint8Array.from([10, 20, 30])
    const png = pngOf(
      mapped(eye, (_, at) => [10, 20, 30][at % 3] ?? 0),
      { colours: "palette", palette }
    )
    const pixels = png.indexOf("IDAT") - 4
    const clear = Buffer.concat([png.subarray(0, pixels), pngChunk("tRNS", Buffer.from([0])), png.subarray(pixels)])
    expect(distance(decoded(clear), white)).toBe(0)
  })

  it("even with a wrong label, and with a wrong length in its metadata", () => {
    const metadata = withSegment(facePhoto(), 0xe1, Buffer.alloc(50, 1))
    metadata.writeUInt16BE(40, 4)
    expect(distance(decoded(metadata), face)).toBe(0)
  })
})

/** Where a pixel of the upright picture stands in what a camera stored that was held so (EXIF 3.0, 4.6.5.1.6). */
const stored = (
  orientation: number,
  x: number,
  y: number,
  width: number,
  height: number
): readonly [number, number] => {
  const [right, bottom] = [width - 1 - x, height - 1 - y]
  const places: ReadonlyArray<readonly [number, number]> = [
    [x, y],
    [right, y],
    [right, bottom],
    [x, bottom],
    [y, x],
    [y, right],
    [bottom, right],
    [bottom, x]
  ]
  return places[orientation - 1] ?? [x, y]
}

const asStored = (orientation: number): Pixels => {
  const sideways = orientation >= 5
  const width = sideways ? eye.height : eye.width
  const height = sideways ? eye.width : eye.height
  const pixels = new Uint8Array(eye.pixels.length)
  for (let y = 0; y < eye.height; y += 1) {
    for (let x = 0; x < eye.width; x += 1) {
      const [column, row] = stored(orientation, x, y, eye.width, eye.height)
      const from = (y * eye.width + x) * 3
      pixels.set(eye.pixels.subarray(from, from + 3), (row * width + column) * 3)
    }
  }
  return { pixels, width, height }
}

describe("a photo is turned upright", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("that was stored with orientation %s", (orientation) => {
    for (const byteOrder of ["II", "MM"] as const) {
      const png = pngOf(asStored(orientation), { colours: "rgb" })
      const upright = decoded(withChunk(png, "eXIf", exifBlock(orientation, "", byteOrder)))
      expect(distance(upright, eye)).toBe(0)
      expect(upright).toMatchObject({ originalWidth: eye.width, originalHeight: eye.height })
    }
    const jpeg = keptOf(pngOf(asStored(orientation), { colours: "rgb" }))
    expect(distance(decoded(withOrientation(Buffer.from(jpeg), orientation)), eye)).toBeLessThan(4)
  })

  it("only once: the kept photo has no orientation", () => {
    const photo = withOrientation(facePhoto(), 6)
    const upright = decoded(photo)
    expect([upright.width, upright.height]).toEqual([faceSize.height, faceSize.width])
    expect(distance(decoded(keptOf(photo)), upright)).toBeLessThan(4)
  })

  it.each([0, 9, 65_535])("not at all by orientation %s, which does not exist", (orientation) => {
    expect(distance(decoded(withOrientation(facePhoto(), orientation)), face)).toBe(0)
  })

  it("not at all by an EXIF block that is cut off or points outside itself", () => {
    const block = exifBlock(6)
    for (let length = 0; length < 22; length += 1) {
      const cut = Buffer.concat([Buffer.from("Exif\0\0"), block.subarray(0, length)])
      expect(distance(decoded(withSegment(facePhoto(), 0xe1, cut)), face)).toBe(0)
    }
    block.writeUInt32BE(0xffff_ffff, 4)
    const outside = Buffer.concat([Buffer.from("Exif\0\0"), block])
    expect(distance(decoded(withSegment(facePhoto(), 0xe1, outside)), face)).toBe(0)
  })
})

const stripes = (width: number, height: number): Pixels => ({
  width,
  height,
  pixels: new Uint8Array(Buffer.alloc(width * height * 3, Buffer.from([200, 100, 100, 100, 100, 100])))
})

describe("a large photo", () => {
  it("is made smaller, and keeps its shape and its original size", () => {
    const small = decoded(pngOf(stripes(2400, 600), { colours: "rgb" }))
    expect([small.width, small.height]).toEqual([photoLimits.longestSidePixels, 400])
    expect(small).toMatchObject({ originalWidth: 2400, originalHeight: 600 })
    const turned = decoded(withChunk(pngOf(stripes(2400, 600), { colours: "rgb" }), "eXIf", exifBlock(8)))
    expect([turned.width, turned.height]).toEqual([400, photoLimits.longestSidePixels])
    expect(turned).toMatchObject({ originalWidth: 600, originalHeight: 2400 })
  })

  it("averages its pixels where they are finer than the kept picture", () => {
    const { pixels } = decoded(pngOf(stripes(photoLimits.longestSidePixels * 2, 2), { colours: "rgb" }))
    expect(pixels.every((sample, at) => sample === (at % 3 === 0 ? 150 : 100))).toBe(true)
  })

  it("averages the area that a pixel covers, even where it covers parts of pixels", () => {
    for (const [width, height] of [
      [2400, 1],
      [1, 2400]
    ] as const) {
      const { pixels } = decoded(pngOf(stripes(width, height), { colours: "rgb" }))
      const reds = pixels.filter((_, at) => at % 3 === 0)
      expect(reds.length).toBe(photoLimits.longestSidePixels)
      expect(reds.every((red, at) => red === (at % 4 < 2 ? 167 : 133))).toBe(true)
    }
  })

  it("keeps at least one pixel of its shorter side", () => {
    const thin = decoded(pngOf(stripes(5000, 1), { colours: "rgb" }))
    expect([thin.width, thin.height]).toEqual([photoLimits.longestSidePixels, 1])
  })
})

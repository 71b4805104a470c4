import * as fc from "fast-check"
import type * as Zlib from "node:zlib"
import { deflateSync } from "node:zlib"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { photoLimits } from "../../../src/runtime/faces/limits.ts"
import { decodePhoto } from "../../../src/runtime/faces/photos/decodePhoto.ts"
import {
  exifBlock,
  facePhoto,
  facePhotoOf,
  faceSize,
  hugePng,
  pngBomb,
  pngChunk,
  pngFile,
  pngOf,
  trailing,
  truncated,
  withChunk,
  withEveryMetadata,
  withScans,
  withSegment,
  withSize
} from "../../support/photos.ts"
import { cropped, decoded, distance, keptOf } from "../../support/pictures.ts"

/** It is made for one photo. */
type MakeDecoder = (options: object) => Promise<unknown>
type Codec = () => { readonly decode: (...file: ReadonlyArray<never>) => unknown }

/** How many files all decoders were given, and jimp's; they decode the files all the same. */
const { counting, decoders } = vi.hoisted(() => {
  const decoders = { asked: 0, jimps: 0 }
  const counting = async (original: () => Promise<{ readonly default: Codec }>) => {
    const { default: codec } = await original()
    const { decode, ...rest } = codec()
    const counted = (...file: ReadonlyArray<never>): unknown => {
      decoders.asked += 1
      decoders.jimps += 1
      return decode(...file)
    }
    return { default: () => ({ ...rest, decode: counted }) }
  }
  return { counting, decoders }
})
/** The most bytes that came of inflating before the decoder. */
const inflated = vi.hoisted(() => ({ most: 0 }))
vi.mock("node:zlib", async (original: () => Promise<typeof Zlib>) => {
  const zlib = await original()
  const inflateSync: typeof zlib.inflateSync = (...sent) => {
    const result = zlib.inflateSync(...sent)
    inflated.most = Math.max(inflated.most, result.length)
    return result
  }
  return { ...zlib, inflateSync }
})
vi.mock("@jimp/js-jpeg", counting)
vi.mock("@jimp/js-png", counting)
vi.mock(
  "@jsquash/jpeg/codec/dec/mozjpeg_dec.js",
  async (original: () => Promise<{ readonly default: MakeDecoder }>) => {
    const { default: make } = await original()
    return {
      default: (options: object) => {
        decoders.asked += 1
        return make(options)
      }
    }
  }
)
beforeEach(() => {
  decoders.asked = 0
  decoders.jimps = 0
  inflated.most = 0
})

const problemOf = (photo: Uint8Array): string => {
  const result = decodePhoto(photo)
  return "problem" in result ? result.problem : "none"
}

const damagedJpeg = "must be a whole and undamaged JPEG image"
const damagedPng = "must be a whole and undamaged PNG image"

const face = decoded(facePhoto())

/** Every segment's marker, up to the end of the file. */
const markersOf = (jpeg: Uint8Array): Array<number> => {
  const markers: Array<number> = []
  let at = 0
  while (at < jpeg.length) {
    expect(jpeg[at]).toBe(0xff)
    const marker = jpeg[at + 1] ?? 0
    markers.push(marker)
    at += 2
    if (marker === 0xd8 || marker === 0xd9) continue
    at += ((jpeg[at] ?? 0) << 8) | (jpeg[at + 1] ?? 0)
    if (marker === 0xda) while (jpeg[at] !== 0xff || jpeg[at + 1] === 0) at += 1
  }
  return markers
}

describe("what is kept of a photo", () => {
  const canary = "GPS-CANARY-51.5007N-0.1246W"

  const onlyThePicture = [0xd8, 0xe0, 0xdb, 0xc0, 0xc4, 0xda, 0xd9]

  it("is the picture and nothing else, whatever its metadata said", () => {
    const png = pngOf(face, { colours: "rgb" })
    const withWords = [
      ["tEXt", `Comment\0${canary}`],
      ["iTXt", `XML:com.adobe.xmp\0\0\0\0\0${canary}`],
      ["zTXt", Buffer.concat([Buffer.from("Comment\0\0"), deflateSync(canary)])],
      ["eXIf", exifBlock(1, canary)]
    ] as const
    const photos = [
      withEveryMetadata(facePhoto(), canary),
      withEveryMetadata(facePhotoOf("progressive"), canary),
      withEveryMetadata(facePhotoOf("ycck"), canary),
      withWords.reduce<Buffer>((photo, [name, content]) => withChunk(photo, name, content), png)
    ]
    for (const photo of photos) {
      const jpeg = keptOf(photo)
      expect(photo.includes("CANARY")).toBe(true)
      expect(markersOf(jpeg)).toEqual(onlyThePicture)
      expect(Buffer.from(jpeg).includes("CANARY")).toBe(false)
      // JFIF's segment has no room for anything: no thumbnail.
      expect(Buffer.from(jpeg.subarray(2, 20))).toEqual(
        Buffer.from([0xff, 0xe0, 0, 16, ...Buffer.from("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0])
      )
    }
  })

  it.each(Object.keys(trailing) as Array<keyof typeof trailing>)("holds nothing of the %s that followed it", (kind) => {
    for (const photo of [facePhoto(), facePhotoOf("progressive"), pngOf(face, { colours: "rgb" })]) {
      const polyglot = keptOf(Buffer.concat([photo, trailing[kind]]))
      expect(polyglot).toEqual(keptOf(photo))
      expect(markersOf(polyglot)).toEqual(onlyThePicture)
    }
  })

  it("shows the picture that was looked at", () => {
    expect(distance(decoded(keptOf(facePhoto())), face)).toBeLessThan(4)
  })
})

describe("a photo is refused as damaged", () => {
  const png = pngOf(face, { colours: "rgb" })

  it.each([5, 25, 50, 75, 90, 99])("when it is cut off at %s %", (hundredths) => {
    for (const photo of [facePhoto(), facePhotoOf("progressive"), facePhotoOf("restart"), facePhotoOf("cmyk")]) {
      expect(problemOf(truncated(photo, hundredths))).toBe(damagedJpeg)
    }
    expect(problemOf(truncated(png, hundredths))).toBe(damagedPng)
  })

  it("when only its last byte is missing, or when a cut-off file gets an end", () => {
    expect(problemOf(facePhoto().subarray(0, -1))).toBe(damagedJpeg)
    expect(problemOf(png.subarray(0, -1))).toBe(damagedPng)
    expect(problemOf(Buffer.concat([truncated(facePhoto(), 60), Buffer.from([0xff, 0xd9])]))).toBe(damagedJpeg)
    expect(problemOf(Buffer.concat([truncated(png, 60), pngChunk("IEND", "")]))).toBe(damagedPng)
  })

  it("when its PNG has a wrong checksum, no pixels, two palettes, or unknown chunks", () => {
    const wrong = Buffer.from(png)
    wrong[png.indexOf("IEND") - 5]! ^= 1
    expect(problemOf(wrong)).toBe(damagedPng)
    expect(problemOf(pngFile(faceSize, []))).toBe(damagedPng)
    expect(problemOf(withChunk(png, "CgBI", Buffer.alloc(4)))).toBe(damagedPng)
    const palette = Uint8Array.from([1, 2, 3])
    const paletted = pngOf({ width: 1, height: 1, pixels: palette }, { colours: "palette", palette })
    expect(problemOf(paletted)).toBe("none")
    expect(problemOf(withChunk(paletted, "PLTE", palette))).toBe(damagedPng)
  })

  it("when its JPEG has two frames, no scan, or tables of a wrong length", () => {
    const photo = facePhoto()
    const frame = photo.indexOf(Buffer.from([0xff, 0xc0]))
    const twice = Buffer.concat([photo.subarray(0, frame), photo.subarray(frame, frame + 19), photo.subarray(frame)])
    expect(problemOf(twice)).toBe(damagedJpeg)
    const scan = photo.indexOf(Buffer.from([0xff, 0xda]))
    expect(problemOf(Buffer.concat([photo.subarray(0, scan), photo.subarray(-2)]))).toBe(damagedJpeg)
    expect(problemOf(withSegment(photo, 0xc4, Buffer.from([0, 255, ...Buffer.alloc(15)])))).toBe(damagedJpeg)
    expect(problemOf(withSegment(photo, 0xdb, Buffer.alloc(40)))).toBe(damagedJpeg)
    expect(decoders.asked).toBe(0)
  })

  it("when it has four inks without Adobe's segment", () => {
    const photo = facePhotoOf("cmyk")
    const adobe = photo.indexOf("Adobe")
    photo[adobe] = 0x61
    expect(problemOf(photo)).toBe(damagedJpeg)
  })
})

describe("the fast decoder", () => {
  it("decodes what cameras and telephones write, without the slow one", () => {
    for (const photo of [facePhoto(), ...(["progressive", "restart", "grey", "rgb"] as const).map(facePhotoOf)]) {
      expect(problemOf(photo)).toBe("none")
    }
    expect(decoders).toEqual({ asked: 5, jimps: 0 })
  })

  it("leaves inks, and what it complains about, to the slow one", () => {
    expect(problemOf(facePhotoOf("cmyk"))).toBe("none")
    expect(decoders).toEqual({ asked: 1, jimps: 1 })
    const strayBytes = Buffer.from([0x55, 0x55])
    expect(problemOf(Buffer.concat([facePhoto().subarray(0, -2), strayBytes, facePhoto().subarray(-2)]))).toBe("none")
    expect(decoders).toEqual({ asked: 3, jimps: 2 })
  })

  it("keeps nothing of a photo that it gave up", () => {
    const cutOff = Buffer.concat([truncated(facePhoto(), 60), Buffer.from([0xff, 0xd9])])
    for (let time = 0; time < 3; time += 1) {
      expect(problemOf(cutOff)).toBe(damagedJpeg)
      expect(distance(decoded(facePhoto()), face)).toBe(0)
    }
  })
})

describe("a photo made to be expensive never reaches the decoder", () => {
  it("when its header says that it is too large", () => {
    expect(problemOf(hugePng())).toMatch(/^must be at most /)
    expect(problemOf(withSize(facePhoto(), 9000, 9000))).toMatch(/^must have at most /)
    expect(decoders.asked).toBe(0)
  })

  it.each([false, true])("when it inflates to more than its header says (interlaced: %s)", (interlaced) => {
    const bomb = pngBomb(64 * 1024 * 1024, interlaced)
    expect(bomb.length).toBeLessThan(70_000)
    expect(problemOf(bomb)).toBe(damagedPng)
    expect(inflated.most).toBe(0)
    expect(decoders.asked).toBe(0)
  })

  it("when it inflates to less than its header says", () => {
    const short = pngFile({ width: 5000, height: 5000 }, [pngChunk("IDAT", deflateSync(Buffer.alloc(1000)))])
    expect(problemOf(short)).toBe(damagedPng)
    expect(decoders.asked).toBe(0)
  })

  it("when it has more scans than any encoder writes", () => {
    expect(problemOf(withScans(facePhotoOf("progressive"), 20))).toBe("none")
    decoders.asked = 0
    expect(problemOf(withScans(facePhotoOf("progressive"), photoLimits.mostScans))).toBe(damagedJpeg)
    expect(problemOf(withScans(facePhotoOf("progressive"), 1000))).toBe(damagedJpeg)
    expect(decoders.asked).toBe(0)
  })

  it("when its scans are few, but of many blocks each", () => {
    expect(problemOf(withScans(withSize(facePhotoOf("progressive"), 5000, 5000), 40))).toBe(damagedJpeg)
    expect(decoders.asked).toBe(0)
  })
})

describe("any bytes at all", () => {
  it("are decoded or refused, and nothing else happens", () => {
    const small = cropped(face, 80, 105, 24, 18)
    const photos = [
      Buffer.from(keptOf(pngOf(small, { colours: "rgb" }))),
      facePhotoOf("progressive").subarray(0, 700),
      pngOf(small, { colours: "rgba", interlaced: true })
    ]
    const change = fc.record({ at: fc.nat(), bytes: fc.uint8Array({ minLength: 1, maxLength: 4 }) })
    fc.assert(
      fc.property(fc.constantFrom(...photos), fc.array(change, { minLength: 1, maxLength: 5 }), (photo, changes) => {
        const changed = Buffer.from(photo)
        for (const { at, bytes } of changes) changed.set(bytes, at % (changed.length - 4))
        const result = decodePhoto(changed)
        if ("problem" in result) expect(result.problem).toMatch(/^must /)
        else expect(result.pixels.length).toBe(result.width * result.height * 3)
      }),
      { numRuns: 500 }
    )
  })
})

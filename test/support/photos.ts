/** Photos as people and attackers send them: a real face, and the same face wrapped, turned, cut off and inflated. */
import { readFileSync } from "node:fs"
import { crc32, deflateSync } from "node:zlib"

const kinds = ["progressive", "restart", "grey", "rgb", "cmyk", "ycck", "arithmetic"] as const

const file = (name: string): Buffer => readFileSync(new URL(`../fixtures/photos/${name}`, import.meta.url))
const fixture = (name: string): Buffer => file(`${name}.jpg`)

/** One clear face: the usual photo of tests. */
export const facePhoto = (): Buffer => fixture("face")
export const faceSize = { width: 301, height: 317 }

/** A made-up identity card of the same person. The check takes it and `facePhoto` for two pictures of one face. */
export const documentPhoto = (): Buffer => file("document.jpg")

/** A made-up identity card around `facePhoto` itself, as somebody makes it who has one photo of the customer. */
export const cardOfFacePhoto = (): Buffer => file("card-of-face.jpg")

/** The same face as it looks ahead, and turned to either side of its own: `fixtures/photos/README.md`. */
export const turnedFace = (to: "ahead" | "left" | "right"): Buffer => fixture(`face-${to}`)

/** The same face, as a PNG. */
export const facePng = (): Buffer => file("face.png")

export const facePhotoOf = (kind: (typeof kinds)[number]): Buffer => fixture(`face-${kind}`)

// JPEG

/** Right after the first marker, where cameras put it. */
export const withSegment = (jpeg: Uint8Array, marker: number, content: Uint8Array | string): Buffer => {
  const segment = Buffer.concat([Buffer.from([0xff, marker, 0, 0]), Buffer.from(content)])
  segment.writeUInt16BE(segment.length - 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}

export const withOrientation = (jpeg: Uint8Array, orientation: number): Buffer =>
  withSegment(jpeg, 0xe1, Buffer.concat([Buffer.from("Exif\0\0"), exifBlock(orientation)]))

/** A TIFF block as in EXIF: how the camera was held, and a GPS directory with the name of the place. */
export const exifBlock = (orientation: number, place = "", byteOrder: "II" | "MM" = "MM"): Buffer => {
  const gps = 8 + 2 + 2 * 12 + 4
  const text = gps + 2 + 12 + 4
  const block = Buffer.alloc(text + place.length + 9)
  const short = (value: number, at: number) =>
    byteOrder === "MM" ? block.writeUInt16BE(value, at) : block.writeUInt16LE(value, at)
  const long = (value: number, at: number) =>
    byteOrder === "MM" ? block.writeUInt32BE(value, at) : block.writeUInt32LE(value, at)
  const entry = (at: number, tag: number, type: number, count: number) => {
    short(tag, at)
    short(type, at + 2)
    long(count, at + 4)
  }
  block.write(byteOrder, 0, "latin1")
  short(42, 2)
  long(8, 4)
  short(2, 8)
  entry(10, 0x0112, 3, 1)
  short(orientation, 18)
  entry(22, 0x8825, 4, 1)
  long(gps, 30)
  short(1, gps)
  entry(gps + 2, 0x001c, 7, place.length + 8)
  long(text, gps + 10)
  block.write(`ASCII\0\0\0${place}`, text, "latin1")
  return block
}

/** A text in every place of a JPEG that can hold text about the picture. */
export const withEveryMetadata = (jpeg: Uint8Array, canary: string): Buffer =>
  [
    [0xfe, `comment ${canary}`],
    [0xed, `Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x20\x1c\x02\x5a\0\x18${canary}`],
    [0xe2, `ICC_PROFILE\0\x01\x01${canary}`],
    [0xe5, `maker ${canary}`],
    [0xe1, `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${canary}</x:xmpmeta>`],
    [0xe1, Buffer.concat([Buffer.from("Exif\0\0"), exifBlock(1, canary)])]
  ].reduce<Buffer>(
    (photo, [marker, content]) => withSegment(photo, marker as number, content as Buffer | string),
    Buffer.from(jpeg)
  )

/** The same picture in a different file for each `number`. */
export const distinctPhoto = (number: number): Buffer => withSegment(facePhoto(), 0xfe, `number ${number}`)

/** A photo with a changed frame header. `at` counts from the header's first byte after marker and length. */
export const withFrame = (jpeg: Uint8Array, changes: ReadonlyArray<readonly [at: number, byte: number]>): Buffer => {
  const changed = Buffer.from(jpeg)
  const frame = changed.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(changed[at + 1] ?? 0))
  for (const [at, byte] of changes) changed[frame + 4 + at] = byte
  return changed
}

/** The same photo with a header that claims this size. */
export const withSize = (jpeg: Uint8Array, width: number, height: number): Buffer =>
  withFrame(jpeg, [
    [1, height >> 8],
    [2, height & 255],
    [3, width >> 8],
    [4, width & 255]
  ])

/** The photo with its last scan repeated `times` more. */
export const withScans = (jpeg: Buffer, times: number): Buffer => {
  const scan = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
  const last = jpeg.subarray(scan, -2)
  return Buffer.concat([jpeg.subarray(0, -2), ...Array.from({ length: times }, () => last), jpeg.subarray(-2)])
}

// PNG

export interface Pixels {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
}

interface PngKind {
  readonly colours: "grey" | "rgb" | "palette" | "greyAlpha" | "rgba"
  readonly bits?: 1 | 2 | 4 | 8 | 16
  readonly interlaced?: boolean
  /** The value of every pixel, for kinds of PNG that have it. */
  readonly alpha?: number
  /** Three bytes for each colour. */
  readonly palette?: Uint8Array
}

const colourType = { grey: 0, rgb: 2, palette: 3, greyAlpha: 4, rgba: 6 }

/** The samples of a pixel with eight bits each, or its place in the palette. */
const samplesOf = ({ alpha = 255, colours, palette = new Uint8Array() }: PngKind, rgb: Uint8Array): Array<number> => {
  const [red = 0, green = 0, blue = 0] = rgb
  if (colours === "grey") return [green]
  if (colours === "greyAlpha") return [green, alpha]
  if (colours === "rgb") return [red, green, blue]
  if (colours === "rgba") return [red, green, blue, alpha]
  return [Buffer.from(palette).indexOf(Buffer.from(rgb)) / 3]
}

const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2]
] as const

/** Unfiltered. Samples of fewer than eight bits take the highest bits. */
export const pngOf = (picture: Pixels, kind: PngKind): Buffer => {
  const { bits = 8, colours, interlaced = false, palette } = kind
  const { height, pixels, width } = picture
  const rows: Array<Buffer> = []
  for (const [left, top, across, down] of interlaced ? passes : ([[0, 0, 1, 1]] as const)) {
    for (let y = top; y < height; y += down) {
      if (left >= width) break
      const samples: Array<number> = []
      for (let x = left; x < width; x += across) {
        samples.push(...samplesOf(kind, pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)))
      }
      rows.push(Buffer.from([0]), packed(samples, bits, colours === "palette"))
    }
  }
  return pngFile({ width, height, bits, colourType: colourType[colours], interlaced }, [
    ...(palette === undefined ? [] : [pngChunk("PLTE", palette)]),
    pngChunk("IDAT", deflateSync(Buffer.concat(rows)))
  ])
}

const packed = (samples: ReadonlyArray<number>, bits: number, areIndices: boolean): Buffer => {
  if (bits === 16) return Buffer.from(samples.flatMap((sample) => [sample, sample]))
  const row = Buffer.alloc(Math.ceil((samples.length * bits) / 8))
  for (const [index, sample] of samples.entries()) {
    const at = index * bits
    row[at >> 3]! |= (areIndices ? sample : sample >> (8 - bits)) << (8 - bits - (at & 7))
  }
  return row
}

export const pngChunk = (name: string, content: Uint8Array | string): Buffer => {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(name, "latin1"), Buffer.from(content), Buffer.alloc(4)])
  chunk.writeUInt32BE(chunk.length - 12, 0)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}

interface PngSays {
  readonly width: number
  readonly height: number
  readonly bits?: number
  readonly colourType?: number
  readonly interlaced?: boolean
}

/** The image data, whatever the header claims, followed by these chunks. */
export const pngFile = (
  { bits = 8, colourType = 2, height, interlaced = false, width }: PngSays,
  chunks: ReadonlyArray<Uint8Array>
): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bits, colourType, 0, 0, interlaced ? 1 : 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk("IHDR", header),
    ...chunks,
    pngChunk("IEND", "")
  ])
}

/** Placed after the header. */
export const withChunk = (png: Uint8Array, name: string, content: Uint8Array | string): Buffer =>
  Buffer.concat([png.subarray(0, 33), pngChunk(name, content), png.subarray(33)])

/** Claims a hundred pixels, and inflates to a thousand times the size of the file. */
export const pngBomb = (inflatedBytes: number, interlaced = false): Buffer =>
  pngFile({ width: 10, height: 10, interlaced }, [pngChunk("IDAT", deflateSync(Buffer.alloc(inflatedBytes)))])

/** A small file that claims, and takes, 600 MB of pixels. */
export const hugePng = (): Buffer =>
  pngFile({ width: 14_000, height: 14_000 }, [pngChunk("IDAT", deflateSync(Buffer.alloc(600_000)))])

// For both kinds of image

/** What a camera in this orientation stores so that the upright picture is `picture` (EXIF 3.0, 4.6.5.1.6). */
export const asHeld = ({ height, pixels, width }: Pixels, orientation: number): Pixels => {
  const isSideways = orientation >= 5
  const stored = { width: isSideways ? height : width, height: isSideways ? width : height }
  const turned = new Uint8Array(pixels.length)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [across, down] = [
        [2, 3, 6, 7].includes(orientation) ? width - 1 - x : x,
        [3, 4, 7, 8].includes(orientation) ? height - 1 - y : y
      ]
      const [column, row] = isSideways ? [down, across] : [across, down]
      const from = (y * width + x) * 3
      turned.set(pixels.subarray(from, from + 3), (row * stored.width + column) * 3)
    }
  }
  return { ...stored, pixels: turned }
}

/** The marker of every segment, from the first byte of a file to its last. */
export const markersOf = (jpeg: Uint8Array): ReadonlyArray<number> => {
  const markers: Array<number> = []
  let at = 0
  while (at < jpeg.length) {
    if (jpeg[at] !== 0xff) throw new Error(`no marker at ${at}`)
    const marker = jpeg[at + 1] ?? 0
    markers.push(marker)
    at += 2
    if (marker === 0xd8 || marker === 0xd9) continue
    at += ((jpeg[at] ?? 0) << 8) | (jpeg[at + 1] ?? 0)
    if (marker === 0xda) while (jpeg[at] !== 0xff || jpeg[at + 1] === 0) at += 1
  }
  return markers
}

/** Bytes after the picture that make another kind of file out of it. */
export const trailing = {
  zip: Buffer.concat([
    Buffer.from("PK\x03\x04 canary "),
    Buffer.alloc(200, 1),
    Buffer.from("PK\x05\x06"),
    Buffer.alloc(18)
  ]),
  html: Buffer.from("<html><script>alert('canary')</script></html>"),
  photo: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1])
}

/** The first so many per cent of the bytes. */
export const truncated = (photo: Uint8Array, hundredths: number): Buffer =>
  Buffer.from(photo.subarray(0, Math.floor((photo.length * hundredths) / 100)))

/**
 * Every kind of photo and of file that says to be one, sent with a live start and as a replacement: what is taken, what
 * is refused with which code, and that a refusal leaves nothing. What is kept of a photo is `photoKept.e2e.test.ts`.
 */
import { deflateSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { photoLimits } from "../../../../src/runtime/faces/limits.ts"
import { largestPhotoBytes } from "../../../../src/schema/start/rules.ts"
import { absent, changed, type Changes } from "../../../schema/start/judge.ts"
import { startBody } from "../../../support/companies.ts"
import { jsonPart, part, sendForm, type SentPart } from "../../../support/multipart.ts"
import {
  asHeld,
  exifBlock,
  facePhoto,
  facePhotoOf,
  hugePng,
  pngBomb,
  pngChunk,
  pngFile,
  pngOf,
  trailing,
  truncated,
  withChunk,
  withEveryMetadata,
  withOrientation,
  withScans,
  withSize,
  type Pixels
} from "../../../support/photos.ts"
import { decoded, keptOf, mapped } from "../../../support/pictures.ts"
import { freshKey, type Reply } from "../../../support/requests.ts"
import { background, cutOut, laidOnGrey, shrunk } from "../../../runtime/faces/pictures.ts"
import { journeys, prepareGround, refuses, type Ground } from "./oracle.ts"

let ground: Ground
/** A live journey whose photo may be replaced. */
let live: string
beforeAll(async () => {
  ground = await prepareGround()
  live = (await starting(photoPart(facePhoto()))).data.id
})
afterAll(() => ground.service.stop())

const photoPart = (photo: Uint8Array, type = "image/jpeg", name = "face.jpg"): SentPart =>
  part([`Content-Disposition: form-data; name="customerFace"; filename="${name}"`, `Content-Type: ${type}`], photo)

type Send = (photo: SentPart | null, changes?: Changes, idempotencyKey?: string) => Promise<Reply>

const starting: Send = (photo, changes = {}, idempotencyKey = freshKey()) => {
  const consent = Object.entries(changes).map(([name, value]) => [`customerFace.${name}`, value])
  const body = changed(startBody("FINANCE_SALE"), Object.fromEntries(consent))
  const parts = photo === null ? [jsonPart(body)] : [jsonPart(body), photo]
  return sendForm(ground.service, ground.dealer.liveKey, { parts, idempotencyKey })
}

const replacing: Send = (photo, changes = {}, idempotencyKey = freshKey()) => {
  const details = jsonPart(changed(startBody("FINANCE_SALE").customerFace, changes), "details")
  return sendForm(ground.service, ground.dealer.liveKey, {
    method: "PUT",
    path: `${journeys}/${live}/customer-face`,
    parts: photo === null ? [details] : [details, photo],
    idempotencyKey
  })
}

/** A refused photo's key is used again by all of them, and in the end for a photo that is taken. */
const ways = [
  { way: "a start", send: starting, taken: 202, key: freshKey() },
  { way: "a replacement", send: replacing, taken: 200, key: freshKey() }
] as const

const photosKept = () =>
  ground.service.query("select journey_id, md5(sealed) as sealed, at from customer_photos order by journey_id")

const face = decoded(facePhoto())
const faceAs = (kind: Parameters<typeof pngOf>[1]): Buffer => pngOf(face, kind)
const inRgb = (picture: Pixels): Buffer => pngOf(picture, { colours: "rgb" })
const facePng = faceAs({ colours: "rgb" })
const beside = (picture: Pixels, other: Pixels): Pixels =>
  laidOnGrey(640, 340, { picture, left: 10, top: 10 }, { picture: other, left: 325, top: 10 })

/** Turned as its orientation says it is one clear face; as it lies, none. */
const sideways = (orientation: number): Buffer => Buffer.from(keptOf(inRgb(asHeld(face, orientation))))

describe.each(ways)("$way with a photo", ({ send, taken }) => {
  it.each<[string, () => SentPart]>([
    ["a baseline JPEG", () => photoPart(facePhoto())],
    ["a progressive JPEG", () => photoPart(facePhotoOf("progressive"))],
    ["a JPEG with restart markers", () => photoPart(facePhotoOf("restart"))],
    ["a grey JPEG", () => photoPart(facePhotoOf("grey"))],
    ["an RGB JPEG", () => photoPart(facePhotoOf("rgb"))],
    ["a CMYK JPEG (BAD-IMG7)", () => photoPart(facePhotoOf("cmyk"))],
    ["a YCCK JPEG", () => photoPart(facePhotoOf("ycck"))],
    ["a PNG", () => photoPart(facePng, "image/png", "face.png")],
    ["a PNG of 16 bits (BAD-IMG7)", () => photoPart(faceAs({ colours: "rgb", bits: 16 }), "image/png", "face.png")],
    ["an interlaced grey PNG", () => photoPart(faceAs({ colours: "grey", interlaced: true }), "image/png")],
    ["a PNG with transparency", () => photoPart(faceAs({ colours: "rgba", alpha: 230 }), "image/png")],
    ["a JPEG held sideways", () => photoPart(withOrientation(sideways(6), 6))],
    ["a JPEG held upside down", () => photoPart(withOrientation(sideways(3), 3))],
    ["a PNG held sideways", () => photoPart(withChunk(inRgb(asHeld(face, 8)), "eXIf", exifBlock(8)), "image/png")],
    ["a JPEG and a ZIP behind it (BAD-IMG11)", () => photoPart(Buffer.concat([facePhoto(), trailing.zip]))],
    ["a PNG and a page behind it (BAD-IMG11)", () => photoPart(Buffer.concat([facePng, trailing.html]), "image/png")],
    ["a JPEG and half another behind it", () => photoPart(Buffer.concat([facePhoto(), trailing.photo]))],
    ["a JPEG with every metadata (BAD-IMG9)", () => photoPart(withEveryMetadata(facePhoto(), "words"))],
    ["a PNG called face.jpg and JPEG", () => photoPart(facePng, "image/jpeg", "face.jpg")],
    ["a JPEG called face.png and PNG (BAD-M17)", () => photoPart(facePhoto(), "image/png", "face.png")],
    ["a JPEG called text", () => photoPart(facePhoto(), "text/plain", "face.txt")],
    [
      "a JPEG of 5 MiB (BAD-M15)",
      () => photoPart(Buffer.concat([facePhoto(), Buffer.alloc(largestPhotoBytes)], largestPhotoBytes))
    ]
  ])("is taken: %s", async (_, photo) => {
    const reply = await send(photo())
    expect(`${reply.status} ${reply.code}`).toBe(`${taken} null`)
  })
})

const unsupported = "400 UNSUPPORTED_IMAGE_TYPE"
const invalid = "400 VALIDATION_FAILED"

/** Their first bytes, and enough behind them to be looked for in. */
const otherFiles: ReadonlyArray<readonly [name: string, content: Uint8Array | string]> = [
  [
    "GIF",
    "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
  ],
  ["WebP", "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00/\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"],
  ["BMP", `BM\x3a${"\x00".repeat(7)}\x36${"\x00".repeat(48)}`],
  ["TIFF", `II*\x00\x08${"\x00".repeat(40)}`],
  ["HEIC", `\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic${"\x00".repeat(40)}`],
  ["AVIF", `\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf${"\x00".repeat(40)}`],
  ["JPEG XL", `\x00\x00\x00\x0cJXL \r\n\x87\n${"\x00".repeat(40)}`],
  ["JPEG 2000", `\x00\x00\x00\x0cjP  \r\n\x87\n${"\x00".repeat(40)}`],
  ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1/face.jpg"/></svg>'],
  ["PDF", "%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF"],
  ["ZIP", trailing.zip],
  ["HTML", trailing.html],
  ["ELF", `\x7fELF\x02\x01\x01${"\x00".repeat(60)}`],
  ["nothing", ""],
  ["half of a JPEG's first bytes", "\xff\xd8"],
  ["a JPEG behind a GIF's first bytes", Buffer.concat([Buffer.from("GIF89a"), facePhoto()])],
  ["a JPEG behind an empty line", Buffer.concat([Buffer.from("\r\n"), facePhoto()])],
  ["a JPEG in base64", facePhoto().toString("base64")]
]

const wrongChecksum = (): Buffer => {
  const wrong = Buffer.from(facePng)
  wrong[facePng.indexOf("IEND") - 5]! ^= 1
  return wrong
}

const refusals: ReadonlyArray<
  readonly [name: string, expected: string, photo: () => Uint8Array | Promise<Uint8Array>]
> = [
  ...otherFiles.map(
    ([name, content]) => [`${name} (BAD-IMG1)`, unsupported, () => Buffer.from(content as string, "latin1")] as const
  ),
  [
    "one byte more than 5 MiB",
    invalid,
    () => Buffer.concat([facePhoto(), Buffer.alloc(largestPhotoBytes)], largestPhotoBytes + 1)
  ],
  ["a JPEG's first bytes alone", invalid, () => facePhoto().subarray(0, 3)],
  ["a PNG's first bytes alone", invalid, () => facePng.subarray(0, 8)],
  ["a JPEG cut off at 99 % (BAD-IMG13)", invalid, () => truncated(facePhoto(), 99)],
  ["a progressive JPEG cut off at 99 % (BAD-IMG13)", invalid, () => truncated(facePhotoOf("progressive"), 99)],
  ["a PNG cut off at 99 % (BAD-IMG13)", invalid, () => truncated(facePng, 99)],
  ["a JPEG without its last byte", invalid, () => facePhoto().subarray(0, -1)],
  [
    "a JPEG cut in half and ended",
    invalid,
    () => Buffer.concat([truncated(facePhoto(), 50), Buffer.from([0xff, 0xd9])])
  ],
  ["a PNG of 14,000 x 14,000 (BAD-IMG3)", invalid, hugePng],
  ["a JPEG that says 65,535 x 65,535 (BAD-IMG3)", invalid, () => withSize(facePhoto(), 65_535, 65_535)],
  ["a JPEG that says 5,000 x 5,000 and is small", invalid, () => withSize(facePhoto(), 5000, 5000)],
  ["a PNG with a wrong checksum (BAD-IMG5)", invalid, wrongChecksum],
  ["a PNG that inflates to 64 MB of 100 pixels (BAD-IMG5)", invalid, () => pngBomb(64 * 1024 * 1024)],
  ["the same, interlaced (BAD-IMG5)", invalid, () => pngBomb(64 * 1024 * 1024, true)],
  [
    "a PNG of fewer pixels than it says (BAD-IMG5)",
    invalid,
    () => pngFile({ width: 5000, height: 5000 }, [pngChunk("IDAT", deflateSync(Buffer.alloc(1000)))])
  ],
  ["a JPEG with 1,000 scans (BAD-IMG7)", invalid, () => withScans(facePhotoOf("progressive"), 1000)],
  ["a JPEG with one scan too many", invalid, () => withScans(facePhotoOf("progressive"), photoLimits.mostScans)],
  ["an arithmetic-coded JPEG (BAD-IMG7)", invalid, () => facePhotoOf("arithmetic")],
  ["a grey sheet", "422 NO_FACE", () => inRgb(laidOnGrey(300, 300))],
  ["a wall", "422 NO_FACE", async () => inRgb(await cutOut(background))],
  ["a face lying on its side", "422 NO_FACE", () => sideways(6)],
  ["a face in the dark", "422 NO_FACE", () => inRgb(mapped(face, (sample) => sample / 40))],
  ["two people", "422 MULTIPLE_FACES", () => inRgb(beside(face, face))],
  [
    "a face far away",
    "422 FACE_TOO_SMALL",
    () => inRgb(laidOnGrey(360, 360, { picture: shrunk(face, 4), left: 100, top: 100 }))
  ]
]

describe.each(ways)("$way with something else", ({ key, send, taken }) => {
  it.each(refusals)("is refused and leaves nothing: %s", async (_, expected, photo) => {
    const before = await photosKept()
    const bytes = await photo()
    for (const type of expected === unsupported ? ["image/jpeg", "image/gif"] : ["image/jpeg"]) {
      const reply = await refuses(ground, () => send(photoPart(bytes, type), {}, key), expected, "customerFace")
      expect(reply.errors).toHaveLength(1)
      if (expected === invalid) expect(reply.errors[0]?.message).toMatch(/^customerFace must /)
    }
    expect(await photosKept()).toEqual(before)
  })

  it("is refused and leaves nothing: no photo, in whatever words", async () => {
    const before = await photosKept()
    await refuses(ground, () => send(null, {}, key), "400 CUSTOMER_FACE_REQUIRED", "customerFace")
    const asField = part(['Content-Disposition: form-data; name="customerFace"'], facePhoto())
    await refuses(ground, () => send(asField, {}, key), "400 CUSTOMER_FACE_REQUIRED", "customerFace")
    expect(await photosKept()).toEqual(before)
  })

  it("is refused and leaves nothing: a form of more than 6 MiB", async () => {
    const before = await photosKept()
    const photo = Buffer.concat([facePhoto(), Buffer.alloc(6 * 1024 * 1024)])
    await refuses(ground, () => send(photoPart(photo), {}, key), "413 PAYLOAD_TOO_LARGE", "body")
    expect(await photosKept()).toEqual(before)
  })

  it.each<[string, Changes]>([
    ["no consent", { biometricConsent: absent }],
    ["a consent that is not given", { "biometricConsent.given": false }],
    ["a consent in words", { "biometricConsent.given": "true" }]
  ])("is refused and leaves nothing: IMG19 %s", async (_, changes) => {
    const before = await photosKept()
    for (const photo of [facePhoto(), truncated(facePhoto(), 90), inRgb(laidOnGrey(50, 50))]) {
      await refuses(ground, () => send(photoPart(photo), changes, key), "422 BIOMETRIC_CONSENT_REQUIRED")
    }
    expect(await photosKept()).toEqual(before)
  })

  // Last, for every refusal above was sent with this key.
  it("does not use up its Idempotency-Key: a proper photo is taken with it", async () => {
    const reply = await send(photoPart(facePhoto()), {}, key)
    expect([reply.status, reply.header("idempotent-replayed")]).toEqual([taken, null])
  })
})

/**
 * What is left of a photo, and where: of a live journey's the picture alone, sealed under the customer's key in one
 * row; of a test journey's nothing. The service is a process of its own, and everything it writes is searched.
 */
import { createDecipheriv, hkdfSync } from "node:crypto"
import { mkdtempSync, readdirSync, rmSync, watch } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { photoPlace } from "../../../../src/actors/journey/actor/JourneyStore.ts"
import { startProcess, type ServiceProcess } from "../../../faults/ServiceProcess.ts"
import { freePort } from "../../../support/freePort.ts"
import { changed } from "../../../schema/start/judge.ts"
import { makeCompany, startBody, type TestCompany } from "../../../support/companies.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { jsonPart, photoPart, sendForm } from "../../../support/multipart.ts"
import {
  asHeld,
  exifBlock,
  facePhoto,
  facePhotoOf,
  faceSize,
  markersOf,
  pngOf,
  trailing,
  truncated,
  withChunk,
  withEveryMetadata,
  withSegment,
  type Pixels
} from "../../../support/photos.ts"
import { cropped, decoded, distance, keptOf } from "../../../support/pictures.ts"
import { freshKey } from "../../../support/requests.ts"
import { freshDatabase } from "../../../support/service.ts"
import { journeys } from "./oracle.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"

const masterKey = Buffer.alloc(32, 7)
const canary = "GPS-CANARY-51.5007N-0.1246W"

let databaseUrl: string
let service: ServiceProcess
let company: TestCompany
const temporaryFolder = mkdtempSync(join(tmpdir(), "journeys-kept-"))
/** Every name that ever stood in the temporary folder. */
const seenInFolder: Array<string | null> = []
const watching = watch(temporaryFolder, (_, name) => seenInFolder.push(name))

/** Every photo that was sent. */
const sent: Array<Buffer> = []

beforeAll(async () => {
  databaseUrl = await freshDatabase()
  service = await startProcess(databaseUrl, await freePort(), { LOG_LEVEL: "trace", TMPDIR: temporaryFolder })
  company = await makeCompany(service)
})
afterAll(async () => {
  await service.end("SIGTERM")
  watching.close()
  rmSync(temporaryFolder, { recursive: true })
})

const start = (photo: Buffer, key: string) => {
  sent.push(photo)
  return sendForm(service, key, { parts: [jsonPart(startBody("FINANCE_SALE")), photoPart(photo)] })
}
const replace = (id: string, photo: Buffer, key: string, idempotencyKey = freshKey(), changes = {}) => {
  sent.push(photo)
  const details = changed(startBody("FINANCE_SALE").customerFace, changes)
  return sendForm(service, key, {
    method: "PUT",
    path: `${journeys}/${id}/customer-face`,
    parts: [jsonPart(details, "details"), photoPart(photo)],
    idempotencyKey
  })
}

interface Row {
  readonly journey_id: string
  readonly customer_id: string
  readonly sealed: Uint8Array
  readonly wrapped_key: Uint8Array
  readonly at: Date
}
const rowsOf = (id: string): Promise<ReadonlyArray<Row>> =>
  queryDirectly<Row>(
    databaseUrl,
    `select p.*, c.wrapped_key from customer_photos p join customers c on c.id = p.customer_id where p.journey_id = $1`,
    [id]
  )

/** AES-256-GCM as it is stored: form, the master key's id where one sealed it, nonce, tag, ciphertext, bound to its place. */
const opened = (key: Uint8Array, place: string, sealed: Uint8Array): Buffer => {
  expect([1, 2]).toContain(sealed[0])
  const rest = sealed.subarray(sealed[0] === 2 ? 9 : 1)
  const decipher = createDecipheriv("aes-256-gcm", key, rest.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(place)).setAuthTag(rest.subarray(12, 28))
  return Buffer.concat([decipher.update(rest.subarray(28)), decipher.final()])
}
const wrapping = Buffer.from(hkdfSync("sha256", masterKey, "journeys", "wrap customer keys", 32))

/** The one photo that is kept for a journey. */
const kept = async (id: string): Promise<Buffer> => {
  const [row, ...others] = await rowsOf(id)
  expect(others).toEqual([])
  if (row === undefined) return expect.fail("no photo is kept")
  const key = opened(wrapping, "customer key", row.wrapped_key)
  expect(() => opened(key, photoPlace(JourneyId.make("another")), row.sealed)).toThrow("authenticate")
  return opened(key, photoPlace(JourneyId.make(id)), row.sealed)
}

/** Start, JFIF, tables, one frame, one scan, end: no APP1 or other segment, no comment, nothing behind. */
const onlyThePicture = [0xd8, 0xe0, 0xdb, 0xc0, 0xc4, 0xda, 0xd9]

const face = decoded(facePhoto())
const closer = cropped(face, 10, 5, 240, 310)

const expectPicture = (jpeg: Buffer, picture: Pixels): void => {
  expect(markersOf(jpeg)).toEqual(onlyThePicture)
  expect(jpeg.subarray(2, 20)).toEqual(
    Buffer.from([0xff, 0xe0, 0, 16, ...Buffer.from("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0])
  )
  expect(jpeg.includes("CANARY")).toBe(false)
  expect(distance(decoded(jpeg), picture)).toBeLessThan(14)
}

const withWords = (png: Buffer): Buffer =>
  [
    ["tEXt", `Comment\0${canary}`] as const,
    ["iTXt", `XML:com.adobe.xmp\0\0\0\0\0${canary}`] as const,
    ["zTXt", Buffer.concat([Buffer.from("Comment\0\0"), deflateSync(canary)])] as const
  ].reduce((photo, [name, content]) => withChunk(photo, name, content), png)

const behind = Buffer.concat([trailing.zip, Buffer.from(`trailing ${canary}`)])

/** EXIF comes first, or none would know how the photo was held. */
const heldSideways = (): Buffer => {
  const stored = Buffer.from(keptOf(pngOf(asHeld(face, 6), { colours: "rgb" })))
  const exif = Buffer.concat([Buffer.from("Exif\0\0"), exifBlock(6, canary)])
  return withSegment(withEveryMetadata(stored, canary), 0xe1, exif)
}

describe("of a live journey's photo is kept the picture and nothing else", () => {
  it.each<[string, () => Buffer]>([
    [
      "a JPEG with every metadata and something behind (BAD-IMG9, BAD-IMG11)",
      () => Buffer.concat([withEveryMetadata(facePhoto(), canary), behind])
    ],
    ["a progressive one", () => Buffer.concat([withEveryMetadata(facePhotoOf("progressive"), canary), behind])],
    ["one with Adobe's inks", () => Buffer.concat([withEveryMetadata(facePhotoOf("ycck"), canary), behind])],
    ["one held sideways, upright", heldSideways],
    [
      "a PNG with words in every chunk that has them (BAD-IMG9, BAD-IMG11)",
      () => Buffer.concat([withWords(pngOf(face, { colours: "rgb" })), behind])
    ],
    [
      "a PNG held sideways, upright",
      () => withChunk(withWords(pngOf(asHeld(face, 8), { colours: "rgb", bits: 16 })), "eXIf", exifBlock(8, canary))
    ]
  ])("%s", async (_, photo) => {
    const bytes = photo()
    expect(bytes.includes(canary)).toBe(true)
    const reply = await start(bytes, company.liveKey)
    expect(reply.status).toBe(202)
    const jpeg = await kept(reply.data.id)
    expectPicture(jpeg, face)
    expect(decoded(jpeg)).toMatchObject(faceSize)
  })
})

const replacements = async (id: string): Promise<number> => {
  const rows = await queryDirectly(
    databaseUrl,
    "select from events where journey_id = $1 and type = 'journey.customer_face_replaced'",
    [id]
  )
  return rows.length
}

describe("a replaced photo", () => {
  it("is gone: the new one is in its place, and a repetition changes nothing", async () => {
    const { id } = (await start(facePhoto(), company.liveKey)).data
    const [first] = await rowsOf(id)
    const photo = withWords(pngOf(closer, { colours: "rgb" }))
    const key = freshKey()
    expect((await replace(id, photo, company.liveKey, key)).status).toBe(200)
    expectPicture(await kept(id), closer)
    const [second] = await rowsOf(id)
    expect(second?.customer_id).toBe(first?.customer_id)
    expect(second?.at.getTime()).toBeGreaterThan(first?.at.getTime() ?? 0)
    expect(await replacements(id)).toBe(1)

    expect((await replace(id, photo, company.liveKey, key)).status).toBe(200)
    expect(await rowsOf(id)).toEqual([second])
    expect(await replacements(id)).toBe(1)

    expect((await replace(id, facePhoto(), company.liveKey)).status).toBe(200)
    expectPicture(await kept(id), face)
    expect(await replacements(id)).toBe(2)
  })

  it("stays when the new one is refused", async () => {
    const { id } = (await start(facePhoto(), company.liveKey)).data
    const before = await rowsOf(id)
    const replies = [
      await replace(id, truncated(withEveryMetadata(facePhoto(), canary), 99), company.liveKey),
      await replace(id, pngOf(cropped(face, 0, 0, 40, 40), { colours: "rgb" }), company.liveKey),
      await replace(id, trailing.html, company.liveKey),
      await replace(id, facePhoto(), company.liveKey, freshKey(), { "biometricConsent.given": false }),
      await replace(id, facePhoto(), company.testKey)
    ]
    expect(replies.map(({ code }) => code)).toEqual([
      "VALIDATION_FAILED",
      "NO_FACE",
      "UNSUPPORTED_IMAGE_TYPE",
      "BIOMETRIC_CONSENT_REQUIRED",
      "JOURNEY_NOT_FOUND"
    ])
    expect(await rowsOf(id)).toEqual(before)
    expect(await replacements(id)).toBe(0)
  })
})

it("keeps nothing of a test journey's photo, neither of the first nor of the next (BAD-IMG17)", async () => {
  const { id } = (await start(withEveryMetadata(facePhoto(), canary), company.testKey)).data
  expect((await replace(id, withEveryMetadata(facePhotoOf("progressive"), canary), company.testKey)).status).toBe(200)
  expect(await replacements(id)).toBe(1)
  expect(await rowsOf(id)).toEqual([])
})

/** What would give a photo away: the words in it, and some of its own bytes, as they are and in the usual spellings. */
const traces = (): ReadonlyArray<string> => {
  const pieces = sent.flatMap((photo) =>
    [0.3, 0.6, 0.9].map((part) => Math.floor(photo.length * part)).map((at) => photo.subarray(at, at + 24))
  )
  const telling = pieces.filter((piece) => new Set(piece).size > 12)
  expect(telling.length).toBeGreaterThan(sent.length)
  const inText = telling.flatMap((piece) => [piece.toString("latin1"), piece.toString("hex")])
  // Base64 of the same bytes looks in three ways, by where they begin.
  const inBase64 = telling.flatMap((piece) =>
    [0, 1, 2].map((skip) => piece.subarray(skip, skip + 21).toString("base64"))
  )
  return ["CANARY", Buffer.from("CANARY").toString("hex"), ...inText, ...inBase64]
}

// Last, for they look back on everything above.
describe("after all that, a photo shows", () => {
  it("in no table, neither in a text nor in bytes (INV-13)", async () => {
    const tables = await queryDirectly<{ readonly name: string }>(
      databaseUrl,
      "select table_name as name from information_schema.tables where table_schema = 'public'"
    )
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["customer_photos", "journeys", "journal", "events", "personal_records"])
    )
    const dump: Array<string> = []
    // One after the other: each statement takes a connection of its own.
    for (const { name } of tables) {
      const rows = await queryDirectly<{ readonly line: string }>(
        databaseUrl,
        `select t::text as line from "${name}" t`
      )
      dump.push(...rows.map(({ line }) => line))
    }
    const bytes = dump
      .flatMap((line) => line.match(/\\x[0-9a-f]+/g) ?? [])
      .map((hex) => Buffer.from(hex.slice(2), "hex").toString("latin1"))
    expect(bytes.length).toBeGreaterThan(10)
    const all = [...dump, ...bytes].join("\n")
    expect(traces().filter((trace) => all.includes(trace))).toEqual([])
  })

  it("in nothing that the service writes", () => {
    expect(service.said()).toContain("Photos are looked at with")
    expect(traces().filter((trace) => service.said().includes(trace))).toEqual([])
  })

  it("in no temporary file at any time", () => {
    expect(seenInFolder).toEqual([])
    expect(readdirSync(temporaryFolder)).toEqual([])
  })
})

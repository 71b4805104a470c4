/** Real pictures of invented documents, read by the real reader. `npm run bench:documents` reads more of them. */
import { Effect, ManagedRuntime } from "effect"
import { Jimp } from "jimp"
import { readdir, readFile } from "node:fs/promises"
import { platform } from "node:os"
import { afterAll, describe, expect, it } from "vitest"
import { DocumentReader, type DocumentReading } from "../../../src/actors/checks/document/DocumentReader.ts"
import { documentLimits } from "../../../src/actors/checks/limits.ts"
import { layer } from "../../../src/runtime/faces/documents/TesseractDocumentReader.ts"
import { facePhoto } from "../../support/photos.ts"
import { childProcesses } from "../../support/childProcesses.ts"
import { processNiceness } from "../../support/processNiceness.ts"

const runtime = ManagedRuntime.make(layer)
afterAll(() => runtime.dispose())

const anna = { firstName: "Anna Maria", lastName: "Eriksson", dateOfBirth: "1974-08-12" }
const sarah = { firstName: "Sarah", lastName: "Morgan", dateOfBirth: "1976-03-11" }

const fileOf = (name: string) => new URL(`../../fixtures/documents/${name}.jpg`, import.meta.url)
const pictureOf = (name: string) => readFile(fileOf(name))

const read = (jpeg: Uint8Array, customer: typeof anna, facePart: number) =>
  Effect.flatMap(DocumentReader, (reader) => reader.read({ jpeg, print: new Uint8Array(), facePart }, customer))
const reading = (jpeg: Uint8Array, customer: typeof anna, facePart = 0.2): Promise<DocumentReading> =>
  runtime.runPromise(read(jpeg, customer, facePart))

const fits = { fits: true, doubts: [] }
const doubted = (...doubts: DocumentReading["doubts"]) => ({ fits: false, doubts })

/** Of the lines of `identityCard.jpg`. */
const lines = { left: 80, top: 548, letter: 33.35, height: 66 }

/**
 * The identity card with its machine-readable lines in three pieces each. A page of text has them as three lines; words anywhere
 * are nine short ones. Before, letters of the lines are written over with other letters of theirs: line, from, to, how many.
 */
const cardInPieces = async ([line, from, to, count]: readonly [number, number, number, number]) => {
  const card = await Jimp.read(await pictureOf("identityCard"))
  const { height, left, letter, top } = lines
  const cut = (row: number, first: number, letters: number) => ({
    x: Math.round(left + first * letter),
    y: top + row * height,
    w: Math.round(letters * letter),
    h: height
  })
  card.composite(card.clone().crop(cut(line, from, count)), cut(line, to, 1).x, cut(line, to, 1).y)
  const pieces = [0, 10, 20].map((first) => card.clone().crop({ ...cut(0, first, 10), h: 3 * height }))
  card.composite(new Jimp({ width: 1100, height: 3 * height, color: card.getPixelColor(60, top) }), 60, top)
  for (const [at, piece] of pieces.entries()) card.composite(piece, 48 + at * 400, top)
  return card.getBuffer("image/jpeg", { quality: 88 })
}

const readers = () => childProcesses("documentProcess.ts")

describe("a document", { timeout: 120_000 }, () => {
  it.runIf(platform() === "linux")(
    "is read by threads that come after those who answer requests, in a process of their own",
    async () => {
      expect(readers()).toEqual([])
      await reading(await pictureOf("drivingLicence"), sarah)
      const [pid = ""] = readers()
      expect(processNiceness(pid).filter((niceness) => niceness === documentLimits.niceness).length).toBeGreaterThan(1)
    }
  )

  it("fits its holder and nobody else: a passport, an identity card and a driving licence", async () => {
    const before = await readdir(process.cwd())
    for (const [name, holder] of [
      ["passport", anna],
      ["identityCard", anna],
      ["drivingLicence", sarah]
    ] as const) {
      expect([name, await reading(await pictureOf(name), holder)]).toEqual([name, fits])
    }
    expect(await reading(await pictureOf("passport"), sarah)).toEqual(doubted("NAME_DIFFERS", "BIRTH_DATE_DIFFERS"))
    expect(await reading(await pictureOf("identityCard"), { ...anna, dateOfBirth: "1974-08-13" })).toEqual(
      doubted("BIRTH_DATE_DIFFERS")
    )
    expect(await reading(await pictureOf("drivingLicence"), anna)).toEqual(doubted())
    // The package would keep its letters in the working folder.
    expect(await readdir(process.cwd())).toEqual(before)
  })

  it.each([
    ["somebody else's names", [2, 10, 0, 4], "NAME_DIFFERS"],
    ["a wrong check digit", [1, 3, 6, 1], "DOCUMENT_UNREADABLE"]
  ] as const)(
    "whose lines have %s goes to a person, also where one look sees only its print",
    async (_, change, doubt) => {
      expect(await reading(await cardInPieces(change), anna)).toEqual(doubted(doubt))
    }
  )

  it.each([5, -12])("is read though it lies askew by %i degrees, small, dim and stored badly", async (degrees) => {
    const picture = await Jimp.read(await pictureOf("passport"))
    picture.resize({ w: 1100 }).brightness(0.7)
    picture.background = 0x6b4a2fff
    picture.rotate(degrees)
    expect(await reading(await picture.getBuffer("image/jpeg", { quality: 50 }), anna)).toEqual(fits)
  })
})

describe("a photo that shows no document", { timeout: 120_000 }, () => {
  it("is told: a second photo of the same person has no words", async () => {
    expect(await reading(facePhoto(), anna)).toEqual(doubted("NO_DOCUMENT"))
  })

  it("is told: a face that fills the picture, whatever stands beside it", async () => {
    expect(await reading(await pictureOf("passport"), anna, 0.6)).toEqual(doubted("NO_DOCUMENT"))
  })
})

it("bytes that are no picture stay unread, and the next document is read", { timeout: 120_000 }, async () => {
  expect(await reading(new Uint8Array(1000).fill(7), anna)).toEqual(doubted("DOCUMENT_UNREADABLE"))
  expect(await reading(await pictureOf("passport"), anna)).toEqual(fits)
})

it("of more documents than may wait, the customers try again", { timeout: 240_000 }, async () => {
  const picture = await pictureOf("identityCard")
  const all = await Promise.all(
    Array.from({ length: 11 }, () => runtime.runPromise(Effect.result(read(picture, anna, 0.2))))
  )
  // One is read while eight wait.
  expect(all.filter((one) => one._tag === "Failure").map((one) => one.failure._tag)).toEqual([
    "DocumentReaderBusy",
    "DocumentReaderBusy"
  ])
})

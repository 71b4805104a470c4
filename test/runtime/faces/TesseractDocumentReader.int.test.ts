/** Real pictures of invented documents, read by the real reader. */
import { Effect, ManagedRuntime } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { afterAll, expect, it } from "vitest"
import { DocumentReader, type DocumentReading } from "../../../src/actors/checks/DocumentReader.ts"
import { layer } from "../../../src/runtime/faces/TesseractDocumentReader.ts"

const runtime = ManagedRuntime.make(layer)
afterAll(() => runtime.dispose())

const anna = { firstName: "Anna Maria", lastName: "Eriksson", dateOfBirth: "1974-08-12" }
const sarah = { firstName: "Sarah", lastName: "Morgan", dateOfBirth: "1976-03-11" }

const pictureOf = (name: string) => readFile(new URL(`../../fixtures/documents/${name}.jpg`, import.meta.url))

const reading = (picture: Uint8Array, customer: typeof anna): Promise<DocumentReading> =>
  runtime.runPromise(Effect.flatMap(DocumentReader, (reader) => reader.read(picture, customer)))

it(
  "a passport, an identity card and a driving licence fit their holders, and nobody else",
  { timeout: 120_000 },
  async () => {
    const before = await readdir(process.cwd())
    for (const [name, holder] of [
      ["passport", anna],
      ["identityCard", anna],
      ["drivingLicence", sarah]
    ] as const) {
      expect([name, await reading(await pictureOf(name), holder)]).toEqual([name, "FITS"])
    }
    expect(await reading(await pictureOf("passport"), sarah)).toBe("DIFFERS")
    expect(await reading(await pictureOf("identityCard"), { ...anna, dateOfBirth: "1974-08-13" })).toBe("DIFFERS")
    expect(await reading(await pictureOf("drivingLicence"), anna)).toBe("UNREAD")
    // The package would keep its letters in the working folder.
    expect(await readdir(process.cwd())).toEqual(before)
  }
)

it("bytes that are no picture stay unread, and the next document is read", { timeout: 120_000 }, async () => {
  expect(await reading(new Uint8Array(1000).fill(7), anna)).toBe("UNREAD")
  expect(await reading(await pictureOf("passport"), anna)).toBe("FITS")
})

it("more documents than may wait stay unread", { timeout: 240_000 }, async () => {
  const picture = await pictureOf("identityCard")
  const all = await Promise.all(Array.from({ length: 11 }, () => reading(picture, anna)))
  // One is read while eight wait.
  expect(all.filter((one) => one === "UNREAD")).toHaveLength(2)
})

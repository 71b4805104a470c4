/**
 * `npm run bench:documents`: how many of the specimens in test/fixtures/documents are read rightly, when they are photographed
 * smaller, askew, blurred, dark, grainy and stored badly; and what is said of faces without a document. It goes the way of the
 * service: the face check, which makes the clean copy, and then the reader. Takes some minutes of two cores.
 */
import { Effect, Layer, ManagedRuntime } from "effect"
import { Jimp } from "jimp"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { DocumentReader } from "../../src/actors/checks/document/DocumentReader.ts"
import { FaceCheck } from "../../src/actors/faces/FaceCheck.ts"
import * as PhotoFaceCheck from "../../src/runtime/faces/looks/PhotoFaceCheck.ts"
import * as TesseractDocumentReader from "../../src/runtime/faces/documents/TesseractDocumentReader.ts"
import { chance } from "../runtime/faces/pictures.ts"

const documents = fileURLToPath(new URL("../fixtures/documents/", import.meta.url))
const people = join(dirname(createRequire(import.meta.url).resolve("@vladmandic/face-api/package.json")), "demo")

const anna = { firstName: "Anna Maria", lastName: "Eriksson", dateOfBirth: "1974-08-12" }
const sarah = { firstName: "Sarah", lastName: "Morgan", dateOfBirth: "1976-03-11" }
const specimens = [
  ["passport", anna, sarah],
  ["identityCard", anna, sarah],
  ["drivingLicence", sarah, anna]
] as const

/** How a photo is taken; what is left out is as it should be. */
interface Taking {
  readonly width?: number
  readonly degrees?: number
  readonly blur?: number
  readonly light?: number
  readonly grain?: number
  readonly quality?: number
}

const one = (name: keyof Taking, values: ReadonlyArray<number>): ReadonlyArray<Taking> =>
  values.map((value) => ({ [name]: value }))

const next = chance(9)
const pick = (values: ReadonlyArray<number>): number => values[Math.floor(next() * values.length)] ?? 0

/** Each trouble alone, and twelve photos with several of them by chance. */
const takings: ReadonlyArray<Taking> = [
  {},
  ...one("width", [1000, 800, 640]),
  ...one("degrees", [3, -3, 7, -7, 12, -12, 18, -18]),
  ...one("blur", [1, 2, 3, 4]),
  ...one("light", [0.7, 0.45]),
  ...one("grain", [30, 60]),
  ...one("quality", [60, 35, 20]),
  ...Array.from({ length: 12 }, () => ({
    width: pick([1250, 1000, 900]),
    degrees: pick([-9, -5, -2, 2, 5, 9]),
    blur: pick([0, 0, 1, 2]),
    light: pick([1, 0.8, 0.6]),
    grain: pick([0, 20, 40]),
    quality: pick([80, 60, 40])
  }))
]

const wood = 0x6b4a2fff

const photoOf = async (file: string, { blur = 0, degrees = 0, grain = 0, light = 1, quality = 85, width }: Taking) => {
  const picture = await Jimp.read(file)
  if (width !== undefined) picture.resize({ w: width })
  picture.background = wood
  if (degrees !== 0) picture.rotate(degrees)
  if (blur !== 0) picture.blur(blur)
  const noise = chance(3)
  const { data } = picture.bitmap
  for (let at = 0; at < data.length; at += 4) {
    const moved = (noise() - 0.5) * grain
    for (let colour = at; colour < at + 3; colour++) {
      data[colour] = Math.min(255, Math.max(0, (data[colour] ?? 0) * light + moved))
    }
  }
  return picture.getBuffer("image/jpeg", { quality })
}

const runtime = ManagedRuntime.make(Layer.merge(PhotoFaceCheck.layer, TesseractDocumentReader.layer))

const seconds: Array<number> = []

/** What is said of one photo to each of these customers. */
const said = (photo: Uint8Array, customers: ReadonlyArray<typeof anna>): Promise<ReadonlyArray<string>> =>
  runtime.runPromise(
    Effect.gen(function* () {
      const looking = (yield* FaceCheck).check(photo)
      // A busy machine does not look at every photo in the time that callers wait.
      const clean = yield* Effect.retry(looking, { times: 5, while: ({ _tag }) => _tag === "FaceCheckUnavailable" })
      const reader = yield* DocumentReader
      return yield* Effect.forEach(
        customers,
        Effect.fnUntraced(function* (customer) {
          const begun = performance.now()
          const { doubts, fits } = yield* reader.read(clean, customer)
          seconds.push((performance.now() - begun) / 1000)
          return fits ? "FITS" : doubts.join("+") || "NOTHING"
        })
      )
    }).pipe(Effect.catchTag("FaceRefused", ({ code }) => Effect.succeed(customers.map(() => `refused: ${code}`))))
  )

const counted = (answers: ReadonlyArray<string>): string =>
  [...new Set(answers)]
    .map((answer) => [answers.filter((other) => other === answer).length, answer] as const)
    .toSorted(([a], [b]) => b - a)
    .map(([count, answer]) => `${count} ${answer}`)
    .join(", ")

for (const [name, holder, stranger] of specimens) {
  const [asHolder, asStranger]: [Array<string>, Array<string>] = [[], []]
  for (const taking of takings) {
    const photo = await photoOf(join(documents, `${name}.jpg`), taking)
    const [answer = "", toStranger = ""] = await said(photo, [holder, stranger])
    asHolder.push(answer)
    asStranger.push(toStranger)
    if (answer !== "FITS") console.log(`  ${name}, ${JSON.stringify(taking)}: ${answer}`)
  }
  console.log(`${name}, its holder: ${counted(asHolder)} of ${takings.length}`)
  console.log(`${name}, somebody else: ${counted(asStranger)} of ${takings.length}`)
}

const faces: Array<string> = []
faces.push(...(await said(await readFile(join(documents, "../photos/face.jpg")), [anna])))
for (const number of [1, 2, 3, 4, 5, 6]) {
  const photo = await Jimp.read(join(people, `sample${number}.jpg`))
  for (const [left, width] of [
    [0, 0.5],
    [0.25, 0.5],
    [0.5, 0.5]
  ] as const) {
    const part = photo.clone().crop({
      x: Math.floor(photo.width * left),
      y: 0,
      w: Math.floor(photo.width * width),
      h: photo.height
    })
    faces.push(...(await said(await part.getBuffer("image/jpeg", { quality: 85 }), [anna])))
  }
}
console.log(`faces without a document: ${counted(faces)}`)

const sorted = seconds.toSorted((a, b) => a - b)
const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(2)
console.log(`reading took ${at(0.5)} s (median), ${at(0.95)} s (p95), ${at(1)} s (longest)`)
console.log(`the process had ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MiB`)
await runtime.dispose()

/**
 * `npm run bench:photos`: how fast photos are looked at on this machine, through the processes of the service and with
 * each backend that is present: photos a second and the time of each, for a small photo and a telephone's photo, with
 * one process and with as many as the service would have. Then it shows which step takes how long, and how long jimp's decoder would
 * take in place of the first. Prints tables and judges nothing.
 *
 * BENCH_SECONDS sets the length of one measurement, BENCH_PROCESSES the larger number of processes.
 */
import jpegCodec from "@jimp/js-jpeg"
import { Effect, Exit, Layer, Logger, Scope } from "effect"
import { Jimp } from "jimp"
import { availableParallelism, totalmem } from "node:os"
import { cleanJpeg } from "../../src/runtime/faces/photos/cleanJpeg.ts"
import { decodeJpeg } from "../../src/runtime/faces/photos/decodeJpeg.ts"
import { decodePhoto } from "../../src/runtime/faces/photos/decodePhoto.ts"
import { encodeJpeg } from "../../src/runtime/faces/photos/encodeJpeg.ts"
import * as ProcessStarter from "../../src/runtime/processes/ProcessStarter.ts"
import { startBackend } from "../../src/runtime/faces/networks/faceBackend.ts"
import type { FaceBackend } from "../../src/runtime/faces/networks/backends.ts"
import { loadDetector } from "../../src/runtime/faces/networks/faceDetector.ts"
import { loadEmbedder } from "../../src/runtime/faces/networks/faceEmbedding.ts"
import { loadLandmarks } from "../../src/runtime/faces/networks/faceLandmarks.ts"
import { faceSharpness } from "../../src/runtime/faces/networks/faceSharpness.ts"
import { openPhotoPool, processesFor } from "../../src/runtime/faces/looks/PhotoPool.ts"
import { at, chance, cuts, made, samplePhoto, type Picture } from "../runtime/faces/pictures.ts"
import { facePhoto, withOrientation } from "../support/photos.ts"

const seconds = Number(process.env["BENCH_SECONDS"] ?? 20)
const usualProcesses = Number(process.env["BENCH_PROCESSES"] ?? processesFor(availableParallelism(), totalmem()))

/** Long limits, because a measurement on a busy machine is slow and not wrong. */
const patient = { lookWithin: "1 minute", answerWithin: "2 minutes" } as const

const withAlpha = ({ height, pixels, width }: Picture) => {
  const data = Buffer.alloc(width * height * 4, 255)
  for (let pixel = 0; pixel < width * height; pixel++) {
    data.set(pixels.subarray(pixel * 3, pixel * 3 + 3), pixel * 4)
  }
  return { data, width, height }
}

/**
 * One person in 12 megapixels and 1.6 MB of JPEG, with the telephone held upright: an enlarged part of a sample photo,
 * with grain.
 */
const telephonePhoto = async (): Promise<Buffer> => {
  const sample = await samplePhoto(cuts.couch.photo)
  const { left, side, top } = cuts.couch
  const part = made(side, Math.round((side * 4) / 3), (x, y, channel) => at(sample, left + x, top + y, channel))
  const { bitmap } = Jimp.fromBitmap(withAlpha(part)).resize({ w: 3024, h: 4032 })
  const next = chance(3)
  // As the sensor lies in a telephone that is held upright: the right edge of the picture is its first row.
  const data = Buffer.alloc(bitmap.data.length, 255)
  for (let y = 0; y < 4032; y++) {
    for (let x = 0; x < 3024; x++) {
      const [from, to] = [(y * 3024 + x) * 4, ((3023 - x) * 4032 + y) * 4]
      const grain = (next() - 0.5) * 12
      for (let colour = 0; colour < 3; colour++) {
        data[to + colour] = Math.max(0, Math.min(255, bitmap.data[from + colour]! + grain))
      }
    }
  }
  return withOrientation(jpegCodec().encode({ data, width: 4032, height: 3024 }, { quality: 85 }), 6)
}

const row = (name: string, ...cells: ReadonlyArray<string | number>): void =>
  console.log(name.padEnd(34) + cells.map((cell) => String(cell).padStart(12)).join(""))

const atShare = (times: ReadonlyArray<number>, share: number): string =>
  (times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN).toFixed(0)

/** The type is not a literal, because the compiler would then look for a package that is optional. */
const nativePackage: string = "@tensorflow/tfjs-node"

/** Why the backend cannot be used, or null. */
const absence = async (backend: FaceBackend): Promise<string | null> => {
  if (backend === "tensorflow") {
    const reason = await import(nativePackage).then(
      () => null,
      (error: unknown) =>
        error instanceof Error ? error.message.split(/\n| imported from /)[0]! : "it cannot be loaded"
    )
    if (reason !== null) return reason
  }
  return startBackend(backend).then(
    () => null,
    () => "it does not compute what it should on this machine"
  )
}

/** As many photos at once as there are processes. Each photo is sent when the one before it is answered. */
const throughput = async (backend: FaceBackend, processes: number, photos: Readonly<Record<string, Buffer>>) => {
  const scope = Scope.makeUnsafe()
  const pool = await Effect.runPromise(
    Effect.gen(function* () {
      const starter = yield* Layer.build(ProcessStarter.layer)
      return yield* Effect.provideContext(openPhotoPool({ backend, processes, ...patient }), starter)
    }).pipe(Scope.provide(scope), Effect.provide(Logger.layer([])))
  )
  const check = (photo: Buffer): Promise<unknown> =>
    Effect.runPromise(
      Effect.flatMap(pool.run({ _tag: "Check", photo }), (seen) =>
        seen._tag === "Check" ? Effect.void : Effect.die(new Error(`answered ${JSON.stringify(seen)}`))
      )
    )
  const places = Array.from({ length: processes }, (_, index) => index)
  for (const [name, photo] of Object.entries(photos)) {
    await Promise.all(places.map(() => check(photo)))
    const times: Array<number> = []
    const began = performance.now()
    const place = async (): Promise<void> => {
      for (let from = began; from - began < seconds * 1000; from = performance.now()) {
        await check(photo)
        times.push(performance.now() - from)
      }
    }
    await Promise.all(places.map(place))
    const rate = (times.length * 1000) / (performance.now() - began)
    row(`${backend}, ${name}`, processes, rate.toFixed(2), atShare(times, 0.5), atShare(times, 0.95))
  }
  await Effect.runPromise(Scope.close(scope, Exit.void))
}

const repetitions = 9

const middle = async (run: () => unknown): Promise<number> => {
  const times: Array<number> = []
  for (let time = 0; time < repetitions; time++) {
    const from = performance.now()
    await run()
    times.push(performance.now() - from)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(repetitions / 2)]!
}

const steps = async (backend: FaceBackend, photos: Readonly<Record<string, Buffer>>) => {
  await startBackend(backend)
  const [detect, landmarks] = await Promise.all([loadDetector(), loadLandmarks()])
  const embed = await loadEmbedder(landmarks)
  for (const [name, photo] of Object.entries(photos)) {
    const decoded = decodePhoto(photo)
    const clean = cleanJpeg(photo)
    if ("problem" in decoded || clean === null) throw new Error(`the ${name} cannot be decoded`)
    const [face] = await detect(decoded)
    if (face === undefined) throw new Error(`no face in the ${name}`)
    const encoding = await middle(() => encodeJpeg(decoded))
    const decoding = await middle(() => decodePhoto(photo))
    const times = [
      await middle(() => jpegCodec().decode(clean.bytes)),
      await middle(() => decodeJpeg(clean)),
      decoding,
      await middle(() => detect(decoded)),
      await middle(() => faceSharpness(decoded, face.box)),
      await middle(() => landmarks.wavering(decoded, face.box)),
      encoding,
      await middle(() => embed(decoded, face.box))
    ]
    row(`${backend}, ${name}`, ...times.map((time) => time.toFixed(0)))
  }
}

const photos = { "small photo": facePhoto(), "telephone photo": await telephonePhoto() }
for (const [name, photo] of Object.entries(photos)) console.log(`${name}: ${(photo.length / 1e6).toFixed(2)} MB`)

const present: Array<FaceBackend> = []
for (const backend of ["tensorflow", "wasm"] as const) {
  const reason = await absence(backend)
  if (reason === null) present.push(backend)
  else console.log(`${backend} is absent: ${reason}`)
}

console.log(`\nThrough the processes; on this machine the service has ${usualProcesses}`)
row("", "processes", "per second", "p50 ms", "p95 ms")
for (const backend of present) {
  for (const processes of new Set([1, usualProcesses])) await throughput(backend, processes, photos)
}

console.log("\nMilliseconds of each step, alone")
row("", "(jimp)", "(mozjpeg)", "decode", "detect", "sharpness", "wavering", "encode", "(embed)")
for (const backend of present) await steps(backend, photos)

/**
 * The photo check as the service has it: real photos, real processes, real models. How processes fail is tested with
 * `PhotoPool.ts`, what photos are read and which faces are found beside their own modules.
 */
import jpegCodec from "@jimp/js-jpeg"
import { Context, Duration, Effect, Exit, Layer, Logger, Result, Scope } from "effect"
import { once } from "node:events"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { FaceCheck } from "../../../src/actors/faces/FaceCheck.ts"
import * as PhotoFaceCheck from "../../../src/runtime/faces/looks/PhotoFaceCheck.ts"
import { CallerWaits } from "../../../src/runtime/faces/looks/sharedLooks.ts"
import { childProcesses, statusOf } from "../../support/childProcesses.ts"
import { documentPhoto, facePhoto, withEveryMetadata } from "../../support/photos.ts"

/** What must not be seen anywhere. */
const canary = "canary-4c9d"

/** Time is no matter here, and the machine may be busy. */
const patient = { processes: 1, lookWithin: "40 seconds", answerWithin: "50 seconds" } as const

const logged: Array<string> = []
const heard = Logger.layer([Logger.map(Logger.formatJson, (line) => logged.push(line))])

const start = async () => {
  const scope = Scope.makeUnsafe()
  const layer = Layer.provide(
    PhotoFaceCheck.layerOf(patient),
    Layer.succeed(CallerWaits, Duration.fromInputUnsafe(patient.answerWithin))
  )
  const built = Layer.buildWithScope(layer, scope)
  const faces = Context.get(await Effect.runPromise(Effect.provide(built, heard)), FaceCheck)
  return {
    check: (photo: Uint8Array) => Effect.runPromise(Effect.result(faces.check(photo)).pipe(Effect.provide(heard))),
    read: (photo: Uint8Array) => Effect.runPromise(Effect.result(faces.read(photo))),
    likeness: faces.likeness,
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

let faces: Awaited<ReturnType<typeof start>>

beforeAll(async () => {
  faces = await start()
})

afterAll(() => faces.stop())

const group = (): Buffer =>
  readFileSync(
    join(dirname(createRequire(import.meta.url).resolve("@vladmandic/face-api/package.json")), "demo/sample1.jpg")
  )

/** As large as may be, with nobody in it. */
const largest = (): Uint8Array => {
  const [width, height] = [3640, 3640]
  const data = Buffer.alloc(width * height * 4, 255)
  for (let at = 0; at < data.length; at += 4) data[at] = at % 251
  return jpegCodec().encode({ data, width, height }, { quality: 60 })
}

const unreadable = (photo: Buffer): Buffer => photo.subarray(0, photo.length / 2)

test("gives a photo of one clear face back without what else was in the file, and leaves the caller's as it is", async () => {
  const photo = withEveryMetadata(facePhoto(), canary)
  const before = Buffer.from(photo)
  const answer = await faces.check(photo)
  expect(photo.equals(before)).toBe(true)
  if (answer._tag === "Failure") throw answer.failure
  const { jpeg } = answer.success
  const clean = Buffer.from(jpeg)
  expect([...clean.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff])
  expect(clean.includes(canary)).toBe(false)
  // Kept as it is: it must not hold on to a larger buffer.
  expect(jpeg.buffer.byteLength).toBe(jpeg.length)
})

test("says why a photo is refused", async () => {
  expect(await faces.check(group())).toMatchObject({ failure: { _tag: "FaceRefused", code: "MULTIPLE_FACES" } })
  expect(await faces.check(unreadable(facePhoto()))).toMatchObject({ failure: { _tag: "PhotoUnreadable" } })
})

test("reads a face once, and says of any two whether they are the same person's", async () => {
  const readFace = async (photo: Uint8Array) => Result.getOrThrow(await faces.read(photo))
  const one = await readFace(facePhoto())
  expect(faces.likeness(one, await readFace(facePhoto()))).toEqual({ verdict: "SAME", similarity: 1 })
  expect(faces.likeness(one, await readFace(documentPhoto()))).toMatchObject({ verdict: "SAME" })
  expect(one.photo).toEqual(Result.getOrThrow(await faces.check(facePhoto())))
  expect(await faces.read(group())).toMatchObject({ failure: { code: "MULTIPLE_FACES" } })
})

/** Others use the temporary folder, too, and tidy up. */
const isOfPhoto = (name: string): boolean => {
  const path = join(tmpdir(), name)
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
  const content = readFileSync(path)
  return content.includes(canary) || (content[0] === 0xff && content[1] === 0xd8)
}

test("leaves nothing of a photo in the log or the temporary folder", async () => {
  const before = new Set(readdirSync(tmpdir()))
  const photo = withEveryMetadata(facePhoto(), canary)
  const answers = [
    await faces.check(photo),
    await faces.check(unreadable(photo)),
    await faces.check(Buffer.from(canary))
  ]
  for (const name of readdirSync(tmpdir()).filter((name) => !before.has(name))) expect(isOfPhoto(name)).toBe(false)
  expect(answers.map(({ _tag }) => _tag)).toEqual(["Success", "Failure", "Failure"])
  expect(JSON.stringify(answers.slice(1))).not.toContain(canary)
  expect(logged.map((line) => JSON.parse(line).message)).toEqual([
    expect.stringMatching(/^Photos are looked at with \w+$/)
  ])
})

test("lets requests be answered while photos are looked at", async () => {
  const server = createServer((_request, response) => response.end()).listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const meanwhile: Array<number> = []
  for (let photo = 0; photo < 3; photo += 1) {
    const looking = { now: true }
    void faces.check(group()).then(() => {
      looking.now = false
    })
    let answered = 0
    for (; looking.now; answered += 1) await (await fetch(url)).text()
    meanwhile.push(answered)
  }
  server.close()
  // Were any of it done here, a photo would be through after a handful of requests.
  expect(Math.min(...meanwhile)).toBeGreaterThan(20)
})

test("stays within its memory when photos are as large as they may be", async () => {
  const photo = largest()
  for (let times = 0; times < 3; times += 1) {
    expect(await faces.check(photo)).toMatchObject({ failure: { code: "NO_FACE" } })
  }
  const [pid = ""] = childProcesses("photoProcess.ts")
  expect(Number.parseInt(statusOf(pid, "VmHWM"), 10) / 1e3).toBeLessThan(1300)
})

test("ends in the middle of a photo", async () => {
  const before = childProcesses("photoProcess.ts")
  const ending = await start()
  await ending.check(facePhoto())
  expect(childProcesses("photoProcess.ts")).toHaveLength(before.length + 1)
  const looking = ending.check(group())
  await ending.stop()
  expect(childProcesses("photoProcess.ts")).toEqual(before)
  expect(await looking).toMatchObject({ failure: { _tag: "FaceCheckUnavailable" } })
})

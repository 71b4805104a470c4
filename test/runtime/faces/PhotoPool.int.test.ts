/**
 * The pool's behaviour around its processes, with a stand-in for what they do: the "photos" are its orders.
 */
import { Effect, Exit, Fiber, Layer, Logger, Scope, type Result } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { FaceCheckUnavailable } from "../../../src/actors/faces/FaceCheck.ts"
import { photoLimits } from "../../../src/runtime/faces/limits.ts"
import type { PhotoSeen } from "../../../src/runtime/faces/looks/photoMessages.ts"
import {
  openPhotoPool,
  type PhotoPool,
  type PhotoPoolOptions,
  processesFor
} from "../../../src/runtime/faces/looks/PhotoPool.ts"
import * as ProcessStarter from "../../../src/runtime/processes/ProcessStarter.ts"
import { childProcesses } from "../../support/childProcesses.ts"
import { eventually } from "../../support/eventually.ts"

/** What would be a customer's face. */
const canary = "canary-7e1b"

/** Longer than a test may take. */
const patient = { lookWithin: "2 minutes", answerWithin: "2 minutes" } as const

const program = fileURLToPath(new URL("standInPhotoProcess.ts", import.meta.url))
const running = () => childProcesses(program)

let scope: Scope.Closeable
const logged: Array<string> = []

beforeEach(() => {
  logged.length = 0
  scope = Scope.makeUnsafe()
})

afterEach(async () => {
  await stop()
  expect(running()).toEqual([])
})

const stop = (): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void))

const heard = Logger.layer([Logger.map(Logger.formatJson, (line) => logged.push(line))])

const pool = (changed: Partial<PhotoPoolOptions> = {}): Promise<PhotoPool> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const starter = yield* Layer.buildWithScope(ProcessStarter.layer, scope)
      return yield* openPhotoPool({ program, processes: 1, ...patient, ...changed }).pipe(
        Effect.provideContext(starter),
        Scope.provide(scope)
      )
    }).pipe(Effect.provide(heard))
  )

type Answer = Result.Result<PhotoSeen, FaceCheckUnavailable>

const asking = ({ run }: PhotoPool, order: string): Effect.Effect<Answer> =>
  run({ _tag: "Check", photo: Buffer.from(order) }).pipe(Effect.result, Effect.provide(heard))

const ask = (of: PhotoPool, order: string): Promise<Answer> => Effect.runPromise(asking(of, order))

/** A photo that is being looked at until it is let go. */
const held = async (of: PhotoPool): Promise<{ fiber: Fiber.Fiber<Answer>; letGo: () => void }> => {
  const name = `\0${randomUUID()}`
  const server = createServer().listen(name)
  await once(server, "listening")
  const fiber = Effect.runFork(asking(of, `wait ${name}`))
  const [arrived] = (await once(server, "connection")) as [Socket]
  arrived.on("error", () => {})
  server.close()
  return { fiber, letGo: () => arrived.end() }
}

const unavailable = { _tag: "Failure", failure: { _tag: "FaceCheckUnavailable" } }
const looked = { _tag: "Success", success: { _tag: "Check" } }
const told = (rule: string) => ({ _tag: "Success", success: { _tag: "Unreadable", rule } })

test("starts no process before the first photo, and then logs its backend once", async () => {
  const photos = await pool({ processes: 2 })
  expect(running()).toHaveLength(0)
  const one = await held(photos)
  expect(await ask(photos, "look")).toMatchObject(looked)
  expect(running()).toHaveLength(2)
  one.letGo()
  expect(await Effect.runPromise(Fiber.join(one.fiber))).toMatchObject(looked)
  expect(logged.map((line) => JSON.parse(line).message)).toEqual(["Photos are looked at with wasm"])
})

test.each([
  [1, 1, 1],
  [2, 16, 1],
  [4, 16, 3],
  [64, 64, 4],
  [64, 7, 2],
  [64, 1, 1]
])("has on %i cores and %i GB of memory %i processes", (cores, gigabytes, processes) => {
  expect(processesFor(cores, gigabytes * 2 ** 30)).toBe(processes)
})

test("keeps its processes from everything that a photo could want of them", async () => {
  const photos = await pool()
  expect(Object.keys(process.env).length).toBeGreaterThan(1)
  expect(await ask(photos, "environment")).toMatchObject({
    success: { rule: expect.stringMatching(/^(?:(?:PATH|PWD|OLDPWD|SHLVL|_),?)+$/) }
  })
  expect(await ask(photos, "read /etc/passwd")).toMatchObject(told("ERR_ACCESS_DENIED"))
  expect(await ask(photos, "write /tmp/of-a-photo")).toMatchObject(told("ERR_ACCESS_DENIED"))
  expect(await ask(photos, "run /bin/true")).toMatchObject(told("ERR_ACCESS_DENIED"))
  expect(await ask(photos, "priority")).toMatchObject(told(String(photoLimits.niceness)))
})

test("gives a process one photo after another, and no process two at once", async () => {
  const photos = await pool()
  const { fiber, letGo } = await held(photos)
  const second = ask(photos, "look")
  letGo()
  const first = await Effect.runPromise(Fiber.join(fiber))
  expect(await second).toEqual(first)
  expect(running()).toHaveLength(1)
})

test.each([
  ["exit", "has ended: exit code 3"],
  ["throw", "Error"],
  ["crash", "SyntaxError"],
  ["fill", "has ended: SIGABRT"],
  ["babble", "said what nobody understands"],
  ["boast", "said what nobody understands"],
  ["hang", "took too long"]
])("answers the photo on which a process fails (%s), and looks at the next one", async (order, reason) => {
  const photos = await pool(order === "hang" ? { lookWithin: 3000 } : {})
  expect(await ask(photos, "look")).toMatchObject(looked)
  expect(await ask(photos, `${order} ${canary}`)).toMatchObject(unavailable)
  expect(await ask(photos, "look")).toMatchObject(looked)
  expect(running()).toHaveLength(1)
  const lines = logged.map((line) => JSON.parse(line))
  expect(lines.slice(1)).toMatchObject([{ message: ["A photo could not be looked at", { reason }] }])
  expect(logged.join("\n")).not.toContain(canary)
})

test("answers at once when its processes cannot start, and tries again for the next photo", async () => {
  const photos = await pool({ program: fileURLToPath(new URL("noSuchProcess.ts", import.meta.url)) })
  expect(await ask(photos, "look")).toMatchObject(unavailable)
  expect(await ask(photos, "look")).toMatchObject(unavailable)
  expect(logged).toHaveLength(2)
})

test("refuses at once when too many photos wait", async () => {
  const photos = await pool({ queue: 2 })
  const { letGo } = await held(photos)
  const waiting = [ask(photos, "look"), ask(photos, "look")]
  expect(await ask(photos, "look")).toMatchObject(unavailable)
  letGo()
  for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject(looked)
  expect(await ask(photos, "look")).toMatchObject(looked)
})

test("answers a photo whose turn does not come in time", async () => {
  const photos = await pool({ answerWithin: 1500 })
  const { letGo } = await held(photos)
  expect(await ask(photos, "look")).toMatchObject(unavailable)
  letGo()
  expect(await ask(photos, "look")).toMatchObject(looked)
})

test("removes a photo from the queue when its caller has gone", async () => {
  const photos = await pool({ queue: 1 })
  const { letGo } = await held(photos)
  const name = `\0${randomUUID()}`
  let arrived = 0
  const server = createServer(() => (arrived += 1)).listen(name)
  await once(server, "listening")
  const gone = Effect.runFork(asking(photos, `wait ${name}`))
  await Effect.runPromise(Fiber.interrupt(gone))
  const next = ask(photos, "look")
  letGo()
  expect(await next).toMatchObject(looked)
  expect(arrived).toBe(0)
  server.close()
})

test("finishes a photo whose caller has gone, and keeps the process", async () => {
  const photos = await pool()
  const { fiber, letGo } = await held(photos)
  await Effect.runPromise(Fiber.interrupt(fiber))
  const next = ask(photos, "look")
  letGo()
  expect(await next).toMatchObject(looked)
  expect(running()).toHaveLength(1)
})

test("ends a process that no photo has needed for an hour, and the next photo starts another", async () => {
  const look = { _tag: "Check", photo: Buffer.from("look") } as const
  await Effect.runPromise(
    Effect.gen(function* () {
      const starter = yield* Layer.buildWithScope(ProcessStarter.layer, scope)
      const photos = yield* Effect.provideContext(openPhotoPool({ program, processes: 1 }), starter)
      yield* photos.run(look)
      const [first] = running()
      yield* TestClock.adjust("59 minutes")
      expect(running()).toEqual([first])
      yield* TestClock.adjust("1 minute")
      yield* Effect.promise(() => eventually(running, ({ length }) => length === 0))
      yield* photos.run(look)
      expect(running()).not.toContain(first)
    }).pipe(Scope.provide(scope), Effect.provide([heard, TestClock.layer()]))
  )
})

test("ends its processes when it stops, even in the middle of a photo, and starts no others", async () => {
  const photos = await pool({ processes: 2 })
  const { fiber } = await held(photos)
  const hanging = ask(photos, "hang")
  const waiting = ask(photos, "look")
  await eventually(running, ({ length }) => length === 2)
  // The process that hangs would hang for ever.
  await stop()
  expect(running()).toEqual([])
  expect(await Effect.runPromise(Fiber.join(fiber))).toMatchObject(unavailable)
  expect(await Promise.all([hanging, waiting, ask(photos, "look")])).toMatchObject([
    unavailable,
    unavailable,
    unavailable
  ])
  expect(running()).toEqual([])
})

/**
 * The pool's behaviour around its threads, with a stand-in for what they do: the "photos" are its orders.
 */
import { Effect, Exit, Fiber, Logger, Scope, type Result } from "effect"
import { once } from "node:events"
import { BroadcastChannel, type Worker } from "node:worker_threads"
import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { FaceCheckUnavailable } from "../../../src/actors/faces/FaceCheck.ts"
import {
  openPhotoPool,
  type PhotoPool,
  type PhotoPoolOptions,
  workersFor
} from "../../../src/runtime/faces/threads/PhotoPool.ts"
import type { PhotoSeen } from "../../../src/runtime/faces/threads/photoWorker.ts"
import { threadEnvironment } from "../../../src/runtime/node/threadEnvironment.ts"
import { eventually } from "../../support/eventually.ts"

/** What would be a customer's face. */
const canary = "canary-7e1b"

/** Longer than a test may take. */
const patient = { lookWithin: "2 minutes", answerWithin: "2 minutes" } as const

const started: Array<Worker> = []
const running = new Set<Worker>()
const onWorker = (worker: Worker): void => {
  started.push(worker)
  running.add(worker)
  worker.once("exit", () => running.delete(worker))
}

let scope: Scope.Closeable
const logged: Array<string> = []

beforeEach(() => {
  started.length = 0
  logged.length = 0
  scope = Scope.makeUnsafe()
  process.on("worker", onWorker)
})

afterEach(async () => {
  await stop()
  process.off("worker", onWorker)
})

const stop = (): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void))

const heard = Logger.layer([Logger.map(Logger.formatJson, (line) => logged.push(line))])

const pool = (limits: Partial<PhotoPoolOptions> = {}): Promise<PhotoPool> =>
  Effect.runPromise(
    openPhotoPool({ script: new URL("standInWorker.ts", import.meta.url), workers: 1, ...limits }).pipe(
      Scope.provide(scope),
      Effect.provide(heard)
    )
  )

type Answer = Result.Result<PhotoSeen, FaceCheckUnavailable>

const asking = ({ run }: PhotoPool, order: string): Effect.Effect<Answer> =>
  run(() => ({ _tag: "Check", photos: [new Uint8Array(Buffer.from(order))] })).pipe(
    Effect.result,
    Effect.provide(heard)
  )

const ask = (of: PhotoPool, order: string): Promise<Answer> => Effect.runPromise(asking(of, order))

/** A photo that is being looked at until it is let go. */
const held = async (of: PhotoPool): Promise<{ fiber: Fiber.Fiber<Answer>; letGo: () => void }> => {
  const name = randomUUID()
  const channel = new BroadcastChannel(name)
  const arrived = once(channel as unknown as EventTarget, "message")
  const fiber = Effect.runFork(asking(of, `wait ${name}`))
  await arrived
  return {
    fiber,
    letGo: () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
      channel.postMessage("go")
      channel.close()
    }
  }
}

const unavailable = { _tag: "Failure", failure: { _tag: "FaceCheckUnavailable" } }
const looked = { _tag: "Success", success: { _tag: "Check" } }

test("starts no thread before the first photo, and then logs its backend once", async () => {
  const photos = await pool({ workers: 2 })
  expect(started).toHaveLength(0)
  const answers = await Promise.all([ask(photos, "look"), ask(photos, "look")])
  for (const answer of answers) expect(answer).toMatchObject(looked)
  expect(started).toHaveLength(2)
  expect(logged.map((line) => JSON.parse(line).message)).toEqual(["Photos are looked at with stand-in"])
})

test.each([
  [1, 1, 1],
  [2, 16, 1],
  [4, 16, 3],
  [64, 64, 4],
  [64, 7, 2],
  [64, 1, 1]
])("has on %i cores and %i GB of memory %i threads", (cores, gigabytes, threads) => {
  expect(workersFor(cores, gigabytes * 2 ** 30)).toBe(threads)
})

test("gives its threads nothing of the service's environment but the folder of what Node has compiled", async () => {
  expect(Object.keys(process.env).length).toBeGreaterThan(1)
  const known = Object.keys(threadEnvironment())
  expect(known).toEqual(["NODE_COMPILE_CACHE"])
  expect(await ask(await pool(), "environment")).toMatchObject({
    success: { _tag: "Unreadable", rule: known.join() }
  })
})

test("gives a thread one photo after another, and no thread two at once", async () => {
  const photos = await pool()
  const { fiber, letGo } = await held(photos)
  const second = ask(photos, "look")
  letGo()
  const first = await Effect.runPromise(Fiber.join(fiber))
  expect(await second).toEqual(first)
  expect(started).toHaveLength(1)
})

test.each([
  ["exit", "Error"],
  ["throw", "Error"],
  ["crash", "SyntaxError"],
  ["fill", "ERR_WORKER_OUT_OF_MEMORY"],
  ["hang", "took too long"]
])("answers the photo on which a thread fails (%s), and looks at the next one", async (order, reason) => {
  const photos = await pool(order === "hang" ? { lookWithin: 3000 } : patient)
  expect(await ask(photos, "look")).toMatchObject(looked)
  expect(await ask(photos, `${order} ${canary}`)).toMatchObject(unavailable)
  expect(await ask(photos, "look")).toMatchObject(looked)
  await eventually(
    () => running.size,
    (size) => size === 1
  )
  const lines = logged.map((line) => JSON.parse(line))
  expect(lines.slice(1)).toMatchObject([{ message: ["A photo could not be looked at", { reason }] }])
  expect(logged.join("\n")).not.toContain(canary)
})

test("answers at once when its threads cannot start, and tries again for the next photo", async () => {
  const photos = await pool({ script: new URL("noSuchWorker.ts", import.meta.url), ...patient })
  expect(await ask(photos, "look")).toMatchObject(unavailable)
  expect(await ask(photos, "look")).toMatchObject(unavailable)
  expect(started).toHaveLength(2)
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
  expect(await ask(photos, "look")).toMatchObject(looked)
  const { letGo } = await held(photos)
  expect(await ask(photos, "look")).toMatchObject(unavailable)
  letGo()
  expect(await ask(photos, "look")).toMatchObject(looked)
})

test("removes a photo from the queue when its caller has gone", async () => {
  const photos = await pool({ queue: 1 })
  const { letGo } = await held(photos)
  const made: Array<string> = []
  const gone = Effect.runFork(
    photos.run(() => {
      made.push("photo")
      return { _tag: "Check", photos: [new Uint8Array()] }
    })
  )
  await Effect.runPromise(Fiber.interrupt(gone))
  const next = ask(photos, "look")
  letGo()
  expect(await next).toMatchObject(looked)
  expect(made).toEqual([])
})

test("finishes a photo whose caller has gone, and keeps the thread", async () => {
  const photos = await pool()
  const { fiber, letGo } = await held(photos)
  await Effect.runPromise(Fiber.interrupt(fiber))
  const next = ask(photos, "look")
  letGo()
  expect(await next).toMatchObject(looked)
  expect(started).toHaveLength(1)
})

test("ends its threads when it stops, even in the middle of a photo, and starts no others", async () => {
  const photos = await pool({ workers: 2, ...patient })
  const { fiber } = await held(photos)
  const hanging = ask(photos, "hang")
  const waiting = ask(photos, "look")
  await eventually(
    () => started.length,
    (length) => length === 2
  )
  // The thread that hangs would hang for ever.
  await stop()
  expect(running.size).toBe(0)
  expect(await Effect.runPromise(Fiber.join(fiber))).toMatchObject(unavailable)
  expect(await Promise.all([hanging, waiting, ask(photos, "look")])).toMatchObject([
    unavailable,
    unavailable,
    unavailable
  ])
  expect(started).toHaveLength(2)
})

/**
 * Many photos at once, while the service is read: every one is answered, none is looked at on the thread that answers,
 * and those that find the queue full are told so and leave nothing. How long it takes is for `test/bench/photoLoad.ts`.
 */
import { request } from "node:http"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { childProcesses } from "../../../support/childProcesses.ts"
import { startBody } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { startWithPhoto } from "../../../support/multipart.ts"
import { distinctPhoto } from "../../../support/photos.ts"
import { call, freshKey } from "../../../support/requests.ts"
import { expectRefusal, journeys, prepareGround, rowCounts, type Ground } from "./oracle.ts"

/** What this thread has loaded of what decodes photos and finds faces; the pool's processes load their own. */
const loadedHere = vi.hoisted(() => new Set<string>())
const { noted } = vi.hoisted(() => ({
  noted: (name: string) => async (original: () => Promise<object>) => {
    loadedHere.add(name)
    return await original()
  }
}))
vi.mock("@jimp/js-jpeg", noted("the JPEG decoder"))
vi.mock("@jimp/js-png", noted("the PNG decoder"))
vi.mock("@tensorflow/tfjs-core", noted("TensorFlow"))

const processes = () => childProcesses("photoProcess.ts")

/** More than the pool has at its largest: four processes, and eight photos that wait for each. */
const tooMany = 60
const mostProcesses = 4
/** Milliseconds. */
const betweenReads = 5

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const send = (number: number, idempotencyKey = freshKey()) =>
  startWithPhoto(
    ground.service,
    ground.dealer.testKey,
    startBody("FINANCE_SALE"),
    distinctPhoto(number),
    idempotencyKey,
    true
  )

const journeysOf = async (): Promise<number> => (await rowCounts(ground.service))["journeys"] ?? 0

it("12 photos, five at a time, are all taken, off the thread that answers reads meanwhile", async () => {
  const { id } = (await send(0)).data
  const read = () => call(ground.service, { key: ground.dealer.testKey, path: `${journeys}/${id}` })
  const before = await read()
  const journeysBefore = await journeysOf()

  const photos = Array.from({ length: 12 }, (_, at) => at + 1)
  const ids = new Set<string>()
  const left = photos.values()
  const sending = Promise.all(
    Array.from({ length: 5 }, async () => {
      for (const number of left) {
        const key = freshKey()
        // On a machine that is busy with something else a photo may take longer than callers wait.
        const reply = await eventually(
          () => send(number, key),
          ({ status }) => status !== 503,
          120_000
        )
        expect(`${reply.code}`).toBe("null")
        ids.add(reply.data.id)
      }
    })
  )
  const looking = { now: true }
  const done = sending.finally(() => {
    looking.now = false
  })
  let reads = 0
  for (; looking.now; reads += 1) {
    const reply = await read()
    expect([reply.status, reply.text]).toEqual([200, before.text])
    // A reader without pauses would take the core that photos are looked at on.
    await new Promise((resolve) => setTimeout(resolve, betweenReads))
  }
  await done

  expect(ids.size).toBe(photos.length)
  expect(await journeysOf()).toBe(journeysBefore + photos.length)
  expect([...loadedHere]).toEqual([])
  expect(processes().length).toBeGreaterThan(0)
  expect(processes().length).toBeLessThanOrEqual(mostProcesses)
  // Looked at on this thread, a photo would let through a handful.
  expect(reads).toBeGreaterThan(photos.length * 5)
}, 240_000)

it("more at once than may wait are taken or told to come again, and only the taken ones leave something", async () => {
  const before = await journeysOf()
  const keys = Array.from({ length: tooMany }, () => freshKey())
  const replies = await Promise.all(keys.map((key, at) => send(1000 + at, key)))
  const taken = replies.filter(({ status }) => status === 202)
  const refused = replies.filter(({ status }) => status !== 202)
  for (const reply of refused) {
    expectRefusal(reply, "503 TEMPORARILY_UNAVAILABLE")
    expect(reply.header("retry-after")).toBe("1")
  }
  expect(taken.length).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(0)
  expect(await journeysOf()).toBe(before + taken.length)
  expect(processes().length).toBeLessThanOrEqual(mostProcesses)

  const [again = -1] = replies.flatMap(({ status }, at) => (status === 202 ? [] : [at]))
  const reply = await eventually(
    () => send(1000 + again, keys[again]),
    ({ status }) => status !== 503,
    120_000
  )
  expect([reply.status, reply.header("idempotent-replayed")]).toEqual([202, null])
}, 240_000)

/** Announces a start with a photo, sends none of it, and tells what the service says to that: a status, or 100 for "go on". */
const announced = (key: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(`${ground.service.baseUrl}${journeys}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "multipart/form-data; boundary=b",
        "content-length": 1_000_000,
        "idempotency-key": freshKey(),
        expect: "100-continue"
      }
    })
    const told = (status: number) => {
      resolve(status)
      asked.destroy()
    }
    asked.once("continue", () => told(100))
    asked.once("response", ({ statusCode = 0 }) => told(statusCode))
    asked.once("error", reject)
    asked.flushHeaders()
  })

it("a photo that would find no place is refused before any of it is sent, and another company's is not", async () => {
  // Each place among those that wait is taken again as soon as it is free. Who finds none gives up.
  const stopping = new AbortController()
  let number = 2000
  const sending = Array.from({ length: tooMany }, async () => {
    while (!stopping.signal.aborted && (await send((number += 1))).status === 202);
  })
  await eventually(
    () => announced(ground.dealer.testKey),
    (status) => status === 503,
    120_000
  )
  expect(await announced(ground.broker.testKey)).toBe(100)
  stopping.abort()
  await Promise.all(sending)
}, 240_000)

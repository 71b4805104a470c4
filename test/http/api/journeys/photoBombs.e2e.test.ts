/**
 * Photos made to fill memory or time, sent to a service that is a process of its own, whose memory is watched. Each kind
 * comes several times, and a proper photo is taken after all of them.
 */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startProcess, type ServiceProcess } from "../../../faults/ServiceProcess.ts"
import { freePort } from "../../../support/freePort.ts"
import { largestPhotoBytes } from "../../../../src/schema/start/rules.ts"
import { makeCompany, startBody, type TestCompany } from "../../../support/companies.ts"
import { startWithPhoto } from "../../../support/multipart.ts"
import { photoBombs } from "../../../support/photoBombs.ts"
import { distinctPhoto } from "../../../support/photos.ts"
import { freshDatabase } from "../../../support/service.ts"

const run = promisify(execFile)

let service: ServiceProcess
let company: TestCompany
beforeAll(async () => {
  service = await startProcess(await freshDatabase(), await freePort(), { LOG_LEVEL: "warn" })
  company = await makeCompany(service)
})
afterAll(() => service.end("SIGTERM"))

const send = (photo: Uint8Array) => startWithPhoto(service, company.testKey, startBody("FINANCE_SALE"), photo)

const megabytes = async (): Promise<number> =>
  Number((await run("ps", ["-o", "rss=", "-p", String(service.pid)])).stdout) / 1024

const betweenMillis = 50

/** Twice what was measured, and what the largest photo that is taken may need. Most bombs would need more if believed. */
const mostGrowth = 1000
const timesEach = 3

it("answers photo bombs of every kind within bounded memory, and takes the next photo (BAD-IMG3, BAD-IMG5, BAD-IMG7)", async () => {
  // The models' memory is no matter here.
  for (const number of [1, 2]) expect((await send(distinctPhoto(number))).status).toBe(202)
  const before = await megabytes()
  const watched = { most: before, isOn: true }
  const watching = (async () => {
    while (watched.isOn) {
      watched.most = Math.max(watched.most, await megabytes())
      await new Promise((resolve) => setTimeout(resolve, betweenMillis))
    }
  })()
  for (const { isTaken, name, photo } of photoBombs()) {
    const bytes = photo()
    expect(bytes.length, name).toBeLessThanOrEqual(largestPhotoBytes)
    for (let times = 0; times < timesEach; times += 1) {
      const reply = await send(bytes)
      expect.soft(`${reply.status} ${reply.code}`, name).toBe(isTaken ? "202 null" : "400 VALIDATION_FAILED")
    }
  }
  watched.isOn = false
  await watching
  expect((await send(distinctPhoto(3))).status).toBe(202)
  expect(watched.most - before).toBeLessThan(mostGrowth)
  // None was too much for a process, and ended it.
  expect(service.said()).not.toContain("could not be looked at")
}, 180_000)

/**
 * A node inside a limit of memory: a process with a small heap keeps below one gigabyte while two keys push 200 uploads of five
 * megabytes at once and leave each unfinished. What else takes memory is in docs/operators.md, "Sizing".
 */
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startProcess, type ServiceProcess } from "../../faults/ServiceProcess.ts"
import { makeCompany, startBody, type TestCompany } from "../../support/companies.ts"
import { freePort } from "../../support/freePort.ts"
import { call, freshKey, RawConnection, start } from "../../support/requests.ts"
import { freshDatabase } from "../../support/service.ts"
import { journeys } from "../api/journeys/oracle.ts"

const uploads = 200
const announced = 5 * 1024 * 1024
const sent = Buffer.alloc(announced - 64 * 1024)
const heapMegabytes = 384
const limitMegabytes = 1024

let service: ServiceProcess
let loud: TestCompany
let quiet: TestCompany
beforeAll(async () => {
  service = await startProcess(await freshDatabase(), await freePort(), {
    BODY_BUDGET: "128",
    NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}`,
    LOG_LEVEL: "error"
  })
  loud = await makeCompany(service)
  quiet = await makeCompany(service, { settings: { identityProvider: { kind: "BUILT_IN" } }, credits: 10 })
})
afterAll(() => service?.end("SIGKILL"))

const push = async (key: string): Promise<RawConnection> => {
  const connection = new RawConnection(service)
  await connection.write(
    `POST ${journeys} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: ${freshKey()}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${announced}\r\n\r\n` +
      `--b\r\nContent-Disposition: form-data; name="customerFace"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  )
  await connection.write(sent)
  return connection
}

/** The most memory that the process has had so far. */
const largestMegabytes = (): number => {
  const status = readFileSync(`/proc/${service.pid}/status`, "utf8")
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

describe.skipIf(process.platform !== "linux")("a node under 200 large uploads at once", () => {
  it("keeps below its limit of memory, and starts and shows another company's journeys meanwhile", async () => {
    const pushed = Array.from({ length: uploads }, (_, at) => push(at % 2 === 0 ? loud.testKey : loud.liveKey))
    const started = await start(service, quiet.liveKey, startBody("IDENTITY_DELIVERY"))
    expect(started.status).toBe(202)
    const connections = await Promise.all(pushed)
    expect((await call(service, { key: quiet.liveKey, path: `${journeys}/${started.data.id}` })).status).toBe(200)
    expect(largestMegabytes()).toBeGreaterThan(100)
    expect(largestMegabytes()).toBeLessThan(limitMegabytes)
    for (const connection of connections) connection.close()
  })
})

/** A service that is told to stop while it is busy (FAULT-3). */
import { Agent, request, type IncomingMessage } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { makeCompany, startBody, type TestCompany } from "../../../support/companies.ts"
import { inconsistencies } from "../../../support/consistency.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { eventually } from "../../../support/eventually.ts"
import {
  listening,
  mainScript,
  startMain,
  startProgram,
  temporaryFolder,
  type MainProcess
} from "../../../support/processes.ts"
import { freshDatabase, operatorToken } from "../../../support/service.ts"

const inFlight = 200
/** The promise: a stop ends within this time, whatever hangs. */
const stopsWithinMillis = 15_000
/** Later than what the terminal and npm send for one Ctrl-C. */
const laterMillis = 1500

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let databaseUrl: string
let main: MainProcess
let baseUrl: string
let company: TestCompany
const agent = new Agent({ keepAlive: true, maxSockets: inFlight })

beforeEach(async () => {
  folder = await temporaryFolder()
  databaseUrl = await freshDatabase()
  main = startMain(folder.path, {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    OPERATOR_TOKEN: operatorToken,
    RATE_LIMIT_PER_MINUTE: "1000000"
  })
  baseUrl = (await main.printed(listening))[1] ?? ""
  company = await makeCompany({ baseUrl })
})
afterEach(async () => {
  agent.destroy()
  await main.stop("SIGKILL")
  await folder.remove()
})

interface Heard {
  readonly key: string
  /** "nothing": no connection, or one that ended before any answer. */
  readonly status: number | "nothing"
  readonly connection: string | undefined
}

const body = JSON.stringify(startBody("IDENTITY_DELIVERY"))

const startOnce = (key: string): Promise<Heard> =>
  new Promise((done) => {
    const nothing = () => done({ key, status: "nothing", connection: undefined })
    request(
      `${baseUrl}/api/v1/journeys`,
      {
        method: "POST",
        agent,
        headers: {
          authorization: `Bearer ${company.testKey}`,
          "content-type": "application/json",
          "idempotency-key": key
        }
      },
      (answer: IncomingMessage) =>
        answer
          .resume()
          .on("end", () => done({ key, status: answer.statusCode ?? 0, connection: answer.headers.connection }))
          .on("error", nothing)
    )
      .on("error", nothing)
      .end(body)
  })

describe.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s with 200 requests in flight", (signal) => {
  test("answers what it took, accepts nothing new, and ends with exit code 0", { timeout: 60_000 }, async () => {
    const heard: Array<Heard> = []
    let keys = 0
    const over = new AbortController()
    const enough = Promise.withResolvers<void>()
    const client = async (name: number) => {
      while (!over.signal.aborted) {
        const one = await startOnce(`stop-${signal}-${name}-${(keys += 1)}`)
        heard.push(one)
        if (heard.length > inFlight * 3) enough.resolve()
        if (one.status === "nothing") return
      }
    }
    const clients = Array.from({ length: inFlight }, (_, name) => client(name))
    await enough.promise
    const asked = performance.now()
    const ended = main.stop(signal)
    await ended
    const took = performance.now() - asked
    over.abort()
    await Promise.all(clients)
    expect([(await ended).code, (await ended).stderr]).toEqual([0, ""])
    expect(took).toBeLessThan(stopsWithinMillis)
    const statuses = new Set(heard.map(({ status }) => status))
    expect([...statuses].filter((status) => status !== 202 && status !== 503 && status !== "nothing")).toEqual([])
    expect(heard.filter(({ connection }) => connection === "close").length).toBeGreaterThan(0)

    const rows = await queryDirectly<{ readonly key: string }>(
      databaseUrl,
      "select idempotency_key as key from journeys"
    )
    const stored = new Set(rows.map(({ key }) => key))
    expect(heard.filter(({ key, status }) => status === 202 && !stored.has(key))).toEqual([])
    expect(heard.filter(({ key, status }) => status === 503 && stored.has(key))).toEqual([])
    expect(await inconsistencies((text, values) => queryDirectly(databaseUrl, text, values))).toEqual([])
  })
})

/** A request whose body never ends: something that holds a stop. */
const unending = (): Promise<{ readonly answer: () => string; readonly end: () => void }> =>
  new Promise((begun, failed) => {
    const { hostname, port } = new URL(baseUrl)
    const socket = connect(Number(port), hostname)
    let answer = ""
    socket.on("error", failed).on("data", (chunk) => (answer += chunk.toString()))
    socket.write(
      `POST /api/v1/journeys HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${company.testKey}\r\nexpect: 100-continue\r\n` +
        "idempotency-key: unending-1\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{",
      () => begun({ answer: () => answer, end: () => socket.destroy() })
    )
  })

test("a body that never ends holds it no longer than promised", { timeout: 60_000 }, async () => {
  const held = await unending()
  const asked = performance.now()
  const { code, stderr } = await main.stop("SIGTERM")
  expect([code, stderr]).toEqual([0, ""])
  expect(performance.now() - asked).toBeLessThan(stopsWithinMillis)
  held.end()
})

test("Ctrl-C that arrives twice is one signal; a second signal ends it at once", { timeout: 60_000 }, async () => {
  const held = await unending()
  // Two of one kind could be folded into one on the way.
  void main.stop("SIGINT")
  void main.stop("SIGTERM")
  const begun = performance.now()
  let hasEnded = false
  void main.ended.then(() => (hasEnded = true))
  await eventually(
    () => performance.now(),
    (now) => now > begun + laterMillis
  )
  expect(hasEnded).toBe(false)
  const { code, stderr } = await main.stop("SIGTERM")
  expect([code, stderr]).toEqual([130, expect.stringContaining("SIGTERM came a second time")])
  held.end()
})

test("a stop that hangs is cut off in time, with a line that says so", { timeout: 60_000 }, async () => {
  const hanging = startProgram("--import", [join(import.meta.dirname, "endlessClose.ts"), mainScript], {
    cwd: folder.path,
    environment: {
      PORT: "0",
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      OPERATOR_TOKEN: operatorToken
    }
  })
  await hanging.printed(listening)
  const asked = performance.now()
  const { code, stderr } = await hanging.stop("SIGTERM")
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^The stop did not end within 14500 ms: .*\n$/)])
  expect(performance.now() - asked).toBeLessThan(stopsWithinMillis)
})

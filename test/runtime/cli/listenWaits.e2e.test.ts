/** What `listen` does with answers that are no pages, told by a server that gives them in a row. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { makeApiKey } from "../../../src/actors/company/apiKey.ts"
import { eventually } from "../../support/eventually.ts"
import { startProgram, temporaryFolder, type MainProcess } from "../../support/processes.ts"
import { eventOf, startReceiver, type Receiver } from "../../support/receivers.ts"
import { programs } from "./listenGround.ts"

// Each command is a process of its own, which on a loaded machine takes ten seconds and more to begin.
vi.setConfig({ testTimeout: 300_000 })

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

const key = makeApiKey(false, new Uint8Array(64).fill(7), null) ?? ""
const event = (number: number) => ({
  id: `019bc0a1-7c00-7004-8000-${String(number).padStart(12, "0")}`,
  type: "journey.created",
  data: { journeyId: "019bc0a1-7c00-7001-8000-000000000001" }
})
const page = (content: ReadonlyArray<object>, next: string, sequences: ReadonlyArray<number | null> = []): Answer => ({
  body: {
    success: true,
    data: { content: content.map((event, at) => ({ sequence: sequences[at] ?? null, event })), next }
  }
})
const refusal = (status: number, field: string, code: string, headers = {}): Answer => ({
  status,
  headers,
  body: { success: false, data: null, message: code, errors: [{ field, code, message: "The reason" }] }
})

let asked: Array<{ readonly at: number; readonly path: string; readonly authorization: string | undefined }>
let answers: Array<Answer>
let server: Server
let to: Receiver
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let listening: MainProcess | undefined
beforeEach(async () => {
  asked = []
  server = createServer((request, response) => {
    asked.push({ at: Date.now(), path: request.url ?? "", authorization: request.headers.authorization })
    const { body, headers = {}, status = 200 } = answers.shift() ?? page([], "end")
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  to = await startReceiver()
  folder = await temporaryFolder()
})
afterEach(async () => {
  await listening?.stop("SIGKILL")
  await to.stop()
  server.closeAllConnections()
  server.close()
  await folder.remove()
})

const listen = (...given: ReadonlyArray<Answer>): MainProcess => {
  answers = [...given]
  const { port } = server.address() as AddressInfo
  const { environment, script } = programs.package
  listening = startProgram(script, ["listen", "--forward-to", to.url], {
    cwd: folder.path,
    environment: { ...environment(`http://127.0.0.1:${port}`, folder.path), JOURNEYS_KEY: key }
  })
  return listening
}

/** Milliseconds between a request and the one before it. */
const gaps = (): ReadonlyArray<number> => asked.slice(1).map(({ at }, before) => at - (asked[before]?.at ?? 0))

it("asks again at once after a full page, and twice a second when there is nothing new", async () => {
  const hundred = Array.from({ length: 100 }, (_, at) => event(at))
  listen(page([], "c0"), page(hundred, "c1"), page([event(100)], "c2"), page([], "c2"))
  await eventually(
    () => asked,
    (all) => all.length >= 7,
    30_000
  )
  expect(to.received.map((one) => eventOf(one).id)).toEqual([...hundred, event(100)].map(({ id }) => id))
  const places = asked.map(({ path }) => new URL(path, "http://x").searchParams.get("after"))
  expect(places.slice(0, 6)).toEqual(["latest", "c0", "c1", "c2", "c2", "end"])
  expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${key}`]))
  expect((asked[2]?.at ?? 0) - (to.received[99]?.at ?? 0)).toBeLessThan(400)
  for (const gap of gaps().slice(3)) expect(gap).toBeGreaterThan(490)
})

it("sends a ping or a sample without a number", async () => {
  listen(page([], "c0"), page([event(1), event(2)], "c1", [7, null]))
  const [numbered, sample] = await to.arrived(2, 30_000)
  expect(numbered?.headers["service-event-sequence"]).toBe("7")
  expect(sample?.headers).not.toHaveProperty("service-event-sequence")
})

it("waits as long as a 429 says, and says nothing about it", async () => {
  const limited = refusal(429, "key", "RATE_LIMITED", { "retry-after": "2" })
  const program = listen(page([], "c0"), limited, page([event(1)], "c1"))
  await to.arrived(1, 30_000)
  expect(gaps()[1]).toBeGreaterThan(1990)
  expect((await program.stop("SIGINT")).stderr).toBe("")
})

it("waits for a service that answers 5xx, whatever it says", async () => {
  const program = listen(
    page([], "c0"),
    { status: 502, body: "<html>" },
    refusal(503, "service", "X"),
    page([event(1)], "c1")
  )
  await to.arrived(1, 30_000)
  expect([(gaps()[1] ?? 0) > 990, (gaps()[2] ?? 0) > 1990]).toEqual([true, true])
  expect((await program.stop("SIGINT")).stderr).toMatch(
    /^journeys: .* answers 502; asking again until it does\n.* again\n$/
  )
})

it.each<[string, Answer, RegExp]>([
  ["an expired key", refusal(401, "authorization", "API_KEY_EXPIRED"), /the key cannot be used \(API_KEY_EXPIRED\)/],
  ["a key that may not read", refusal(403, "authorization", "API_KEY_NOT_PERMITTED"), /the key cannot be used/],
  [
    "a place it does not know",
    refusal(400, "after", "VALIDATION_FAILED"),
    /does not know the kept place.*--from-start/
  ],
  ["another program", { body: "hello" }, /is not this service/],
  ["another service", { status: 404, body: { message: "no" } }, /is not this service/],
  ["another answer", { body: { success: true, data: { content: [{ id: "1" }], next: "x" } } }, /is not this service/]
])("ends with a reason when it meets %s", async (_, answer, said) => {
  const { code, stderr } = await listen(page([], "c0"), answer).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(said)
  expect(stderr).not.toContain(key)
  expect(to.received).toEqual([])
})

/**
 * What the clients do when an answer is late, lost or a refusal: the same rules in TypeScript, with a stand-in for `fetch`, and in
 * Python, against a server that answers as the test says.
 */
import { spawnSync } from "node:child_process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { resolve } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  ApiError,
  ConnectionError,
  TimeoutError,
  UnexpectedAnswerError
} from "../../../src/runtime/client/lib/errors.ts"
import { clientLimits } from "../../../src/runtime/client/lib/limits.ts"
import { FollowedListing, Listing, type ListTurn } from "../../../src/runtime/client/lib/Listing.ts"
import { Transport, type KeyedCallOptions } from "../../../src/runtime/client/lib/Transport.ts"
import { run, temporaryFolder } from "../../support/processes.ts"

interface Sent {
  readonly headers: Headers
}

type Reply =
  | "lost"
  | "silent"
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }

const done: Reply = { status: 200, body: { success: true, data: "data", errors: null } }
const refused = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "request-id": "r-1", ...headers },
  body: { success: false, data: null, errors: [{ field: "journey", code, message: "no" }] }
})

class JourneyNotFound extends ApiError {}

/** A client whose requests are answered in this order, the last answer over and over. */
const clientOf = (...replies: ReadonlyArray<Reply>) => {
  const sent: Array<Sent> = []
  const transport = new Transport(
    {
      baseUrl: "https://journeys.example/",
      apiKey: "svc_test_x",
      fetch: (_, init) => {
        sent.push({ headers: new Headers(init?.headers) })
        const reply = replies[Math.min(sent.length, replies.length) - 1] ?? done
        if (reply === "lost") return Promise.reject(new TypeError("fetch failed"))
        if (reply === "silent") {
          return new Promise((_, fail) => init?.signal?.addEventListener("abort", () => fail(new Error("aborted"))))
        }
        const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body)
        return Promise.resolve(new Response(text, { status: reply.status, headers: reply.headers ?? {} }))
      }
    },
    (code) => (code === "JOURNEY_NOT_FOUND" ? JourneyNotFound : undefined)
  )
  const call = (method: string, options: KeyedCallOptions = {}, isKeyed = method !== "GET") =>
    transport.call<string>({ method, path: "/api/v1/journeys", isKeyed }, options)
  return { sent, call, keys: () => new Set(sent.map(({ headers }) => headers.get("idempotency-key"))) }
}

/** What comes of a call once all pauses are over. */
const ended = async <A>(call: Promise<A>): Promise<A> => {
  call.catch(() => {})
  await vi.runAllTimersAsync()
  return call
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("a call", () => {
  it("keeps its Idempotency-Key over every retry, the caller's or one of its own", async () => {
    const own = clientOf("lost", "silent", refused(503, "TEMPORARILY_UNAVAILABLE"), refused(502, "X"), done)
    expect(await ended(own.call("POST"))).toBe("data")
    expect(own.sent).toHaveLength(5)
    expect([...own.keys()]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
    const given = clientOf("lost", done)
    await ended(given.call("POST", { idempotencyKey: "deal-1001" }))
    expect([...given.keys()]).toEqual(["deal-1001"])
    const another = clientOf("lost", done)
    await ended(another.call("POST"))
    expect(another.keys()).not.toEqual(own.keys())
  })

  it("waits as long as Retry-After says, and not at all when that is more than a minute", async () => {
    const { call, sent } = clientOf(refused(429, "RATE_LIMITED", { "retry-after": "42" }), done)
    const answer = call("GET")
    await vi.advanceTimersByTimeAsync(41_999)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await answer).toBe("data")
    const long = clientOf(refused(429, "RATE_LIMITED", { "retry-after": "61" }), done)
    await expect(ended(long.call("GET"))).rejects.toMatchObject({ status: 429, retryAfterSeconds: 61 })
    expect(long.sent).toHaveLength(1)
  })

  it("without a key is repeated when nothing was done, and never when nobody knows", async () => {
    const unknown = clientOf("lost", done)
    await expect(ended(unknown.call("POST", {}, false))).rejects.toThrow(ConnectionError)
    expect(unknown.sent).toHaveLength(1)
    const nothingDone = clientOf(refused(503, "TEMPORARILY_UNAVAILABLE"), done)
    expect(await ended(nothingDone.call("POST", {}, false))).toBe("data")
  })

  it("is given up after its retries", async () => {
    const { call, sent } = clientOf("lost")
    await expect(ended(call("GET"))).rejects.toThrow(ConnectionError)
    expect(sent).toHaveLength(1 + clientLimits.mostRetries)
    const impatient = clientOf("silent")
    await expect(ended(impatient.call("GET", { retries: 0, timeoutMillis: 10 }))).rejects.toThrow(TimeoutError)
    expect(impatient.sent).toHaveLength(1)
  })

  it("is not repeated after a refusal, and throws the class of its code, or a plain ApiError for a code to come", async () => {
    const known = clientOf(refused(404, "JOURNEY_NOT_FOUND"))
    await expect(ended(known.call("GET"))).rejects.toThrow(JourneyNotFound)
    expect(known.sent).toHaveLength(1)
    const later = clientOf(refused(409, "CODE_TO_COME", { link: '</docs/errors/CODE_TO_COME>; rel="help"' }))
    await expect(ended(later.call("POST"))).rejects.toMatchObject({
      name: "ApiError",
      status: 409,
      code: "CODE_TO_COME",
      requestId: "r-1",
      help: "https://journeys.example/docs/errors/CODE_TO_COME",
      problems: [{ field: "journey", code: "CODE_TO_COME", message: "no" }]
    })
    const proxy = clientOf({ status: 404, body: "<html>" })
    await expect(ended(proxy.call("GET"))).rejects.toThrow(UnexpectedAnswerError)
  })

  it("ends at once, with the caller's reason, when the caller aborts in a pause or during an attempt", async () => {
    for (const reply of [refused(503, "TEMPORARILY_UNAVAILABLE", { "retry-after": "30" }), "silent"] as const) {
      const ending = new AbortController()
      const { call, sent } = clientOf(reply)
      const answer = call("POST", { signal: ending.signal })
      answer.catch(() => {})
      await vi.advanceTimersByTimeAsync(1)
      ending.abort(new Error("enough"))
      await expect(answer).rejects.toThrow("enough")
      expect(sent).toHaveLength(1)
    }
  })
})

/** Every entry of a list with these pages, and how each page was asked for. */
const read = async (pages: ReadonlyArray<object>, from: ListTurn = {}) => {
  const turns: Array<ListTurn> = []
  const listing = new Listing({
    ask: (turn) => {
      turns.push(turn)
      return Promise.resolve(pages[turns.length - 1] as { readonly content: ReadonlyArray<string> })
    },
    from,
    by: "after",
    signal: undefined
  })
  const entries: Array<string> = []
  for await (const entry of listing) entries.push(entry)
  return { entries, turns }
}

describe("a list", () => {
  it("goes on by number, by next until it is null, and by next until it stands still", async () => {
    const numbered = [
      { content: ["a"], page: 0, totalPages: 2 },
      { content: ["b"], page: 1, totalPages: 2 }
    ]
    expect(await read(numbered)).toEqual({ entries: ["a", "b"], turns: [{}, { page: 1 }] })
    const pieces = [
      { content: ["a"], next: "1", page: 0, totalPages: 2 },
      { content: ["b"], next: null }
    ]
    expect(await read(pieces)).toEqual({ entries: ["a", "b"], turns: [{}, { after: "1" }] })
    const events = [
      { content: ["a"], next: "1" },
      { content: [], next: "2" },
      { content: ["b"], next: "3" },
      { content: [], next: "3" }
    ]
    expect((await read(events, { after: "0" })).entries).toEqual(["a", "b"])
  })

  it("of events is followed: a page once something is there, and a pause once nothing is", async () => {
    const pages = [
      { content: [], next: "1" },
      { content: ["a"], next: "2" }
    ]
    let asked = 0
    const ending = new AbortController()
    const listing = new FollowedListing({
      ask: () => Promise.resolve(pages[asked++] ?? { content: [], next: "2" }),
      from: { after: "latest" },
      by: "after",
      signal: ending.signal
    })
    const followed = listing.follow()
    const first = followed.next()
    await vi.advanceTimersByTimeAsync(0)
    expect(asked).toBe(1)
    await vi.advanceTimersByTimeAsync(clientLimits.betweenLooksMillis)
    expect(await first).toEqual({ done: false, value: { content: ["a"], next: "2" } })
    const second = followed.next()
    second.catch(() => {})
    await vi.advanceTimersByTimeAsync(clientLimits.betweenLooksMillis * 3)
    ending.abort(new Error("enough"))
    await expect(second).rejects.toThrow("enough")
  })
})

describe("the client in Python", () => {
  const isThere = spawnSync("python3", ["--version"], { stdio: "ignore" }).status === 0
  const moved: Reply = { status: 307, headers: { location: "/target" }, body: "" }
  const program = `
import json, sys, types
package = types.ModuleType("journeys_client"); package.__path__ = [sys.argv[1]]; sys.modules["journeys_client"] = package
from journeys_client import errors, transport
transport.SHORTEST_PAUSE = 0.001
class NotFound(errors.ApiError): pass
client, impatient = (transport.Transport(sys.argv[2], "svc_test_x", seconds, 5, {"JOURNEY_NOT_FOUND": NotFound}) for seconds in (30, 0.2))
def outcome(method, path, by=client, **given):
    try: return by.call(method, path, **given)
    except errors.JourneysError as error: return " ".join(filter(None, [type(error).__name__, getattr(error, "help", None)]))
def refused(url, key):
    try: return str(transport.Transport(url, key, 30, 5, {}))
    except TypeError as error: return str(error).split(" ")[0]
pages = transport.Listing(lambda turn: client.call("GET", "/pages", query=turn), {"after": "0"}, "after")
print(json.dumps([
    outcome("POST", "/lost", is_keyed=True), outcome("POST", "/once"), outcome("POST", "/later"), outcome("GET", "/long"),
    outcome("GET", "/none"), outcome("GET", "/proxy"), outcome("GET", "/slow", by=impatient, retries=1), list(pages),
    outcome("GET", "/moved"), [refused("", "svc_test_x"), refused("journeys.example", "svc_test_x"), refused(sys.argv[2], ""), refused(sys.argv[2], "svc_test_x\\n")]
]))
`
  const replies: Readonly<Record<string, ReadonlyArray<Reply>>> = {
    "/lost": ["lost", refused(500, "INTERNAL_ERROR"), done],
    "/once": ["lost", done],
    "/later": [refused(503, "TEMPORARILY_UNAVAILABLE", { "retry-after": "0" }), done],
    "/long": [refused(429, "RATE_LIMITED", { "retry-after": "61" })],
    "/none": [refused(404, "JOURNEY_NOT_FOUND", { link: '</docs/errors/JOURNEY_NOT_FOUND>; rel="help"' })],
    "/proxy": [{ status: 404, body: "<html>" }],
    "/slow": ["silent", "silent"],
    "/moved": [moved, moved],
    "/pages": [
      { status: 200, body: { success: true, data: { content: ["a"], next: "1" } } },
      { status: 200, body: { success: true, data: { content: ["b"], next: "1" } } }
    ]
  }

  it.skipIf(!isThere && process.env["CI"] !== "true")("keeps the same rules", async () => {
    if (!isThere) throw new Error("CI needs python3 on PATH")
    vi.useRealTimers()
    const sent: Array<{ readonly path: string; readonly key: string | undefined }> = []
    const server = createServer((request, response) => {
      const path = (request.url ?? "").replace(/\?.*/, "")
      const of = replies[path] ?? []
      const reply = of[sent.filter((one) => one.path === path).length]
      sent.push({ path, key: request.headers["idempotency-key"] as string | undefined })
      if (reply === "lost") request.socket.destroy()
      else if (reply !== "silent" && reply !== undefined) {
        response
          .writeHead(reply.status, reply.headers)
          .end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body))
      }
    })
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    const folder = await temporaryFolder()
    const source = resolve(import.meta.dirname, "../../../src/runtime/client/python/journeys_client")
    const { stderr, stdout } = await run(
      "python3",
      ["-B", "-c", program, source, `http://127.0.0.1:${(server.address() as AddressInfo).port}`],
      { cwd: folder.path }
    )
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const inTypeScript = new Transport({ baseUrl, apiKey: "svc_test_x", retries: 0 }, () => undefined)
    await expect(inTypeScript.call({ method: "GET", path: "/moved" }, {})).rejects.toThrow(ConnectionError)
    server.closeAllConnections()
    server.close()
    await folder.remove()
    expect(JSON.parse(stdout || "[]"), stderr).toEqual([
      "data",
      "ConnectionFailed",
      "data",
      "ApiError",
      `NotFound ${baseUrl}/docs/errors/JOURNEY_NOT_FOUND`,
      "UnexpectedAnswer",
      "TimedOut",
      ["a", "b"],
      "UnexpectedAnswer",
      ["base_url", "base_url", "api_key", "api_key"]
    ])
    // A key is shown to no other address.
    expect(sent.filter(({ path }) => path === "/moved")).toHaveLength(2)
    expect(sent.filter(({ path }) => path === "/target")).toEqual([])
    const lost = sent.filter(({ path }) => path === "/lost").map(({ key }) => key)
    expect(lost).toHaveLength(3)
    expect(new Set(lost)).toEqual(new Set([expect.stringMatching(/^[0-9a-f-]{36}$/)]))
  })
})

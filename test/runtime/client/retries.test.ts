/** What the client in TypeScript does when an answer is late, lost or a refusal, or when a proxy answers in place of the service. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { ConnectionError, TimeoutError, UnexpectedAnswerError } from "../../../src/runtime/client/lib/errors.ts"
import { clientLimits } from "../../../src/runtime/client/lib/limits.ts"
import { clientOf, done, ended, JourneyNotFound, page, refused } from "./standIns.ts"

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

describe("an answer that is a proxy's", () => {
  it("of 429 or 503 is waited for as long as its Retry-After says, in seconds or as a date, also without a key", async () => {
    for (const headers of [
      { "retry-after": "42" },
      { "retry-after": "Tue, 03 Nov 2026 10:00:42 GMT", date: "Tue, 03 Nov 2026 10:00:00 GMT" }
    ]) {
      for (const status of [429, 503]) {
        const { call, sent } = clientOf(page(status, headers), done)
        const answer = call("POST", {}, false)
        await vi.advanceTimersByTimeAsync(41_999)
        expect(sent).toHaveLength(1)
        await vi.advanceTimersByTimeAsync(1)
        expect(await answer).toBe("data")
      }
    }
    const long = clientOf(page(503, { "retry-after": "61" }))
    await expect(ended(long.call("GET"))).rejects.toMatchObject({ status: 503, retryAfterSeconds: 61 })
    expect(long.sent).toHaveLength(1)
  })

  it("that says nothing of the request is asked for again where repeating is safe, until the retries are used up", async () => {
    for (const status of [200, 204, 408, 429, 500, 501, 502, 503, 504]) {
      const body = status === 204 ? { status } : page(status)
      const { call, sent } = clientOf(body)
      await expect(ended(call("GET", { retries: 2 }))).rejects.toThrow(UnexpectedAnswerError)
      expect(sent).toHaveLength(3)
      expect(await ended(clientOf(body, done).call("POST"))).toBe("data")
      const unsafe = clientOf(body, done)
      await expect(ended(unsafe.call("POST", {}, false))).rejects.toThrow(UnexpectedAnswerError)
      expect(unsafe.sent).toHaveLength(1)
    }
  })

  it("that refuses is thrown at once, also when it is JSON with errors of another form", async () => {
    const others = [{ errors: "no" }, { errors: [null] }, { errors: [{ message: "no" }] }, { message: "no" }]
    for (const reply of [page(403), page(404), ...others.map((body) => ({ status: 400, body }))]) {
      const { call, sent } = clientOf(reply)
      await expect(ended(call("GET"))).rejects.toThrow(UnexpectedAnswerError)
      expect(sent).toHaveLength(1)
    }
  })
})

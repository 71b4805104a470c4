import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, makeCompany, startBody, type TestCompany } from "../../support/companies.ts"
import { call, freshKey, raw, start, type Reply } from "../../support/requests.ts"
import { startService, type Service } from "../../support/service.ts"
import { expectRefusal, journeys } from "../api/journeys/oracle.ts"

const limit = 500

let service: Service
beforeAll(async () => {
  service = await startService({ SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" })
})
afterAll(() => service.stop())

const get = (key: string, path = `${journeys}/none`) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`

const pipelined = async (request: string, count: number): Promise<ReadonlyArray<Reply>> =>
  (await raw(service, request.repeat(count), { answers: count, withinMillis: 30_000 })).replies

const expectLimited = (reply: Reply) => {
  expectRefusal(reply, "429 RATE_LIMITED")
  const seconds = Number(reply.header("retry-after"))
  expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`).toBe(true)
  expect(reply.header("ratelimit")).toBe(`"key";r=0;t=${seconds}`)
  expect(reply.header("ratelimit-policy")).toBe(`"key";q=${limit};w=60`)
}

describe("500 requests a minute of one key", () => {
  let company: TestCompany
  beforeAll(async () => {
    company = await makeCompany(service)
  })

  it("are admitted, refused ones included, and the 501st is answered with the time to wait (BAD-H29)", async () => {
    const replies = await pipelined(get(company.testKey), 1000)
    expect(replies).toHaveLength(1000)
    const admitted = replies.filter((reply) => reply.status !== 429)
    for (const reply of admitted) expectRefusal(reply, "404 JOURNEY_NOT_FOUND")
    const left = admitted.map((reply) =>
      Number(/^"key";r=(\d+);t=(?:60|5\d)$/.exec(reply.header("ratelimit") ?? "")?.[1])
    )
    expect(left.toSorted((a, b) => b - a)).toEqual(Array.from({ length: limit }, (_, at) => limit - 1 - at))
    for (const reply of replies) if (reply.status === 429) expectLimited(reply)
  })

  it("being used up, refuse every endpoint of this key, before its scope, key and body are judged", async () => {
    const { testKey: key } = company
    expectLimited(await call(service, { key }))
    expectLimited(await call(service, { key, body: startBody("IDENTITY_DELIVERY") }))
    expectLimited(await start(service, key, "{"))
    expectLimited(await call(service, { key, path: `${journeys}/none/cancel`, body: {} }))
    expectLimited(await call(service, { key, path: "/api/v1/sandbox/scenarios" }))
    const large = await call(service, { key, body: "x", headers: { "content-type": "text/plain" } })
    expectRefusal(large, "415 UNSUPPORTED_MEDIA_TYPE")
  })

  it("leave the company's other keys alone", async () => {
    const reply = await call(service, { key: company.liveKey })
    expect(reply.status).toBe(200)
    expect(reply.header("ratelimit")).toMatch(/^"key";r=499;t=60$/)
  })

  it("are the key's, not its text's: rotating it brings no new minute", async () => {
    const path = `/settings/v1/companies/${company.id}/api-keys/${company.testKeyId}/rotate`
    const rotated = await ask(service, "test-operator-token-000000000000000000000000", path, { method: "POST" })
    expectLimited(await call(service, { key: rotated.data.key }))
  })
})

describe("the headers of the limit", () => {
  it("are on every answer to a key", async () => {
    const { liveKey, testKey: key } = await makeCompany(service)
    const replies = [
      await start(service, key, startBody("IDENTITY_DELIVERY")),
      await start(service, key, {}),
      await call(service, { key, body: {} }),
      await call(service, { key, path: `${journeys}?size=0` }),
      await call(service, { key, path: `${journeys}/none` }),
      await call(service, { key, body: "x", headers: { "content-type": "text/plain" } }),
      await call(service, { key, body: " ".repeat(2 * 1024 * 1024) }),
      await call(service, { key })
    ]
    expect(replies.map((reply) => reply.status)).toEqual([202, 400, 400, 400, 404, 415, 413, 200])
    expect(replies.map((reply) => reply.header("ratelimit")?.split(";")[1])).toEqual(
      replies.map((_, at) => `r=${limit - 1 - at}`)
    )
    for (const reply of replies) expect(reply.header("ratelimit-policy")).toBe('"key";q=500;w=60')
    const forbidden = await call(service, { key: liveKey, path: `${journeys}/none/simulate`, body: {} })
    expect([forbidden.status, forbidden.header("ratelimit")?.split(";")[1]]).toEqual([403, "r=499"])
  })

  it("speak of the address where there is no key, which has a limit of its own", async () => {
    const { testKey: valid } = await makeCompany(service)
    const first = await call(service, {})
    expectRefusal(first, "401 INVALID_API_KEY")
    expect(first.header("ratelimit-policy")).toBe('"address";q=300;w=60')
    expect(first.header("ratelimit")).toBe('"address";r=299;t=60')

    const replies = await pipelined(get("svc_test_wrong"), 400)
    const refused = replies.filter((reply) => reply.status === 401)
    expect(refused).toHaveLength(299)
    for (const reply of replies.slice(299)) {
      expectRefusal(reply, "429 RATE_LIMITED")
      expect(reply.header("ratelimit")).toMatch(/^"address";r=0;t=(60|5\d)$/)
      expect(Number(reply.header("retry-after"))).toBeGreaterThan(50)
      expect(reply.text).toContain("requests of this address were refused")
    }
    const other = await call(service, { key: valid, headers: { "idempotency-key": freshKey() } })
    expect(other.status, "a valid key from the same address is served").toBe(200)
  })
})

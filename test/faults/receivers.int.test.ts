/**
 * Receivers that misbehave, met by the whole service over real connections (FAULT-27). Only a 2xx within ten seconds
 * counts, redirects are not followed, the log keeps a bounded part of any answer, and memory stays flat.
 */
import { createServer, type Server, type Socket } from "node:net"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { writeEndpoint } from "../support/endpoints.ts"
import { eventually } from "../support/eventually.ts"
import { eventOf, startReceiver, type Receiver } from "../support/receivers.ts"
import { startService, type Service } from "../support/service.ts"

/** Bytes of an answer that are kept in the delivery log (§6). */
const keptBytes = 4096
const megabyte = 1024 * 1024

let service: Service
let company: TestCompany
let receiver: Receiver

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_INSECURE: "true", RATE_LIMIT_PER_MINUTE: "1000000" })
})
afterAll(() => service.stop())
beforeEach(async () => {
  company = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
  receiver = await startReceiver()
})
afterEach(async () => {
  await service.query("delete from deliveries")
  await receiver.stop()
})

interface Attempted {
  readonly status: string
  readonly http_status: number | null
  readonly error: string | null
  readonly answer: string | null
  readonly duration_millis: number
  readonly due_at: Date | null
}

const endpointAt = (url: string) =>
  writeEndpoint(service.query, { companyId: company.id, url, events: ["journey.created"] })
const begin = async (): Promise<string> => (await start(service, company.testKey, startBody("CASH_SALE"))).data.id
/** The outcome of the first attempt. */
const attemptOf = async (journeyId: string, withinMillis?: number): Promise<Attempted> => {
  const [row] = await eventually(
    () =>
      service.query<Attempted>(
        `select d.status, d.due_at, a.http_status, a.error, a.answer, a.duration_millis
         from events e join deliveries d on d.event_id = e.id join attempts a on a.event_id = e.id and a.number = 1
         where e.journey_id = $1`,
        [journeyId]
      ),
    (rows) => rows.length === 1,
    withinMillis
  )
  if (row === undefined) throw new Error("no attempt")
  return row
}
const attempt = async (withinMillis?: number) => attemptOf(await begin(), withinMillis)

/** The first attempt at a new receiver that answers after so long. */
const slow = async (millis: number) => {
  const own = await startReceiver((_, response) => {
    setTimeout(() => response.writeHead(200).end(), millis)
  })
  const companyOfIts = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
  await writeEndpoint(service.query, { companyId: companyOfIts.id, url: own.url, events: ["journey.created"] })
  const { data } = await start(service, companyOfIts.testKey, startBody("CASH_SALE"))
  const attempted = await attemptOf(data.id, 15_000)
  await own.stop()
  return attempted
}

describe("an answer", () => {
  const notDelivered = [
    [300, 301, 302, 303, 304, 305, 307, 308, 399],
    [400, 401, 403, 404, 405, 408, 409, 410, 411, 413, 418, 421, 425, 426, 428, 429, 431, 451, 499],
    [500, 501, 502, 503, 504, 505, 508, 511, 599]
  ]
  const statuses = [[200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 250, 299], ...notDelivered].flat()
  test("counts as delivered exactly when its status is 2xx; any other status leads to a retry in a minute", async () => {
    await endpointAt(receiver.url)
    for (const status of statuses) {
      receiver.answer(status)
      const attempted = await attempt()
      const isDelivered = status >= 200 && status < 300
      expect(attempted).toMatchObject({
        status: isDelivered ? "DELIVERED" : "PENDING",
        http_status: status,
        error: null
      })
      const dueIn = attempted.due_at === null ? null : attempted.due_at.getTime() - Date.now()
      if (isDelivered) expect(dueIn).toBe(null)
      else expect(dueIn).toBeGreaterThan(55_000)
    }
    expect(receiver.received.length).toBe(statuses.length)
  })

  test("that redirects is not followed, wherever it leads to", async () => {
    const elsewhere = await startReceiver()
    await endpointAt(receiver.url)
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer((_, response) => void response.writeHead(status, { location: elsewhere.url }).end())
      expect(await attempt()).toMatchObject({ status: "PENDING", http_status: status })
    }
    expect(elsewhere.received.length).toBe(0)
    expect(await elsewhere.connections()).toBe(0)
    await elsewhere.stop()
  })

  test("stands in the log with its first 4,096 bytes, whatever bytes they are", async () => {
    await endpointAt(receiver.url)
    const bodies: ReadonlyArray<readonly [Buffer, string]> = [
      [Buffer.from("all is well"), "all is well"],
      [Buffer.from("a\u0000b"), "a\ufffdb"],
      [Buffer.from([0x61, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62]), "a\ufffd\ufffd(\ufffd\ufffd\ufffdb"],
      [Buffer.from("x".repeat(20_000)), "x".repeat(keptBytes)],
      // A character that is cut in two is left out.
      [Buffer.from("x".repeat(keptBytes - 1) + "ü".repeat(10)), "x".repeat(keptBytes - 1)]
    ]
    for (const [body, kept] of bodies) {
      receiver.answer((_, response) => void response.writeHead(200).end(body))
      expect(await attempt()).toMatchObject({ status: "DELIVERED", answer: kept })
    }
  })

  test("counts when its headers come after 9 seconds, and does not count after 10.9 seconds", async () => {
    const [inTime, late] = await Promise.all([slow(9000), slow(10_900)])
    expect(inTime).toMatchObject({ status: "DELIVERED", http_status: 200, error: null })
    expect(late).toMatchObject({ status: "PENDING", http_status: null, error: "TIMEOUT" })
    expect(late.duration_millis).toBeGreaterThanOrEqual(10_000)
  })
})

/** A server that does this to every connection as soon as something has arrived on it. */
const rude = async (act: (socket: Socket) => void): Promise<{ url: string; server: Server }> => {
  const server = createServer((socket) => {
    socket.on("error", () => {})
    socket.once("data", () => act(socket))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`, server }
}

describe("a receiver that hangs up", () => {
  const nothing = { status: "PENDING", http_status: null }
  const cases: ReadonlyArray<readonly [string, Parameters<typeof rude>[0], object]> = [
    ["with a reset", (socket) => socket.resetAndDestroy(), { ...nothing, error: "CONNECTION_RESET" }],
    ["without a word", (socket) => socket.end(), { ...nothing, error: "CONNECTION_RESET" }],
    [
      "in the middle of its headers",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nx-half:", () => socket.resetAndDestroy()),
      { ...nothing, error: "CONNECTION_RESET" }
    ],
    ["with something that is not HTTP", (socket) => socket.end("SSH-2.0-x\r\n"), { ...nothing, error: "BAD_RESPONSE" }],
    [
      "with headers without end",
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}\r\n\r\n`),
      { ...nothing, error: "BAD_RESPONSE" }
    ],
    [
      "after its status, in the middle of its body",
      (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", () => socket.resetAndDestroy()),
      { status: "DELIVERED", http_status: 200, answer: "half" }
    ],
    [
      "after a 103 and nothing else",
      (socket) => socket.end("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"),
      { ...nothing, error: "CONNECTION_RESET" }
    ]
  ]
  test.each(cases)(
    "%s leads to a failed attempt of its class, unless the status had arrived",
    async (_, act, expected) => {
      const { server, url } = await rude(act)
      await endpointAt(url)
      expect(await attempt()).toMatchObject(expected)
      await new Promise((done) => server.close(done))
    }
  )

  test("a receiver that does not exist leads to a failed attempt", async () => {
    const gone = await startReceiver()
    await gone.stop()
    await endpointAt(gone.url)
    expect(await attempt()).toMatchObject({ ...nothing, error: "CONNECTION_REFUSED" })
  })
})

describe("receivers that stream for ever", () => {
  const rounds = 12
  const streamsEach = 100

  test("count by their status, are read only up to a limit, and leave memory as it was", async () => {
    const chunk = Buffer.alloc(16_384, "x")
    let refused = 0
    receiver.answer((_, response) => {
      response.writeHead(200)
      response.on("close", () => (refused += 1))
      const more = () => {
        while (!response.closed) if (!response.write(chunk)) return void response.once("drain", more)
      }
      more()
    })
    await endpointAt(receiver.url)
    const resident: Array<number> = []
    for (let round = 1; round <= rounds; round++) {
      for (let at = 0; at < streamsEach; at += 10) await Promise.all(Array.from({ length: 10 }, begin))
      await eventually(
        () =>
          service.query<{ readonly n: number }>("select count(*)::int as n from deliveries where status = 'DELIVERED'"),
        ([row]) => row?.n === round * streamsEach,
        30_000
      )
      await eventually(
        () => refused,
        (count) => count === round * streamsEach
      )
      resident.push(process.memoryUsage().rss / megabyte)
    }
    // The first rounds warm up. After them, hundreds of streams change little, although each alone would fill the
    // memory.
    const settled = resident[rounds / 2] ?? 0
    expect(Math.max(...resident.slice(rounds / 2)) - settled).toBeLessThan(80)
    expect(new Set(receiver.received.map((one) => eventOf(one).id)).size).toBe(rounds * streamsEach)
  })
})

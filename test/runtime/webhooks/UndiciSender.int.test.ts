/** Exchanges with receivers of every kind, over real connections (FAULT-27, BAD-W19 and BAD-W25, decisions W10 and W12). */
import { afterEach, describe, expect, it } from "vitest"
import type * as net from "node:net"
import { gzipSync } from "node:zlib"
import { failed, isDelivered } from "../../../src/actors/webhook/rules/classification.ts"
import type { Exchange } from "../../../src/actors/webhook/rules/Exchange.ts"
import type { FailureClass } from "../../../src/schema/failureClass.ts"
import { eventually } from "../../support/eventually.ts"
import { answered, answerOf, closingAfter, failure, openChannel, startReceiver } from "../openChannel.ts"

const { between, kept } = closingAfter(afterEach)

type Answer = Parameters<typeof startReceiver>[0]

const reset = (socket: net.Socket) => socket.resetAndDestroy()

const chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

const signFixed = () => ({ "Service-Event-Id": "7", "Service-Signature": "t=1,v1=ab" })

it("sends the exact bytes of the body with the headers of the delivery and those of every delivery, once each (W10)", async () => {
  const { channel, receiver } = await between((socket) => socket.write(answerOf(200)))
  const body = '{"text":"Zoë – ✓"}'
  expect(await channel.post(body, signFixed)).toEqual(answered(200))
  const [head = "", sent = ""] = (receiver.requests[0] ?? "").split("\r\n\r\n")
  expect(
    head
      .split("\r\n")
      .map((line) => line.replace(/^[\w-]+(?=:)/, (name) => name.toLowerCase()))
      .toSorted()
  ).toEqual(
    [
      "POST /hook HTTP/1.1",
      `host: 127.0.0.1:${receiver.port}`,
      "connection: keep-alive",
      "content-type: application/json",
      "user-agent: Journeys-Webhooks/1.0",
      "service-event-id: 7",
      "service-signature: t=1,v1=ab",
      `content-length: ${Buffer.byteLength(body)}`
    ].toSorted()
  )
  expect(Buffer.from(sent, "latin1").toString()).toBe(body)
})

describe("an answer", () => {
  const statuses = [
    200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 250, 299, 300, 301, 302, 303, 304, 305, 307, 308, 399, 400, 401, 403,
    404, 405, 406, 408, 409, 410, 411, 413, 415, 418, 421, 422, 425, 426, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505,
    507, 511, 520, 529, 599
  ] // prettier-ignore
  it("is reported with its status, and only a 2xx counts as delivered", async () => {
    let at = 0
    const { channel } = await between((socket) => socket.write(answerOf(statuses[at++] ?? 0, "said")), {
      connections: 1
    })
    const told: Array<Exchange> = []
    for (const _ of statuses) told.push(await channel.post())
    expect(told).toEqual(statuses.map((status) => answered(status, [204, 304].includes(status) ? "" : "said")))
    expect(told.filter(isDelivered).length).toBe(statuses.filter((status) => status < 300).length)
  })

  it("that redirects is not followed, and no connection is opened to its target", async () => {
    const elsewhere = await kept(startReceiver((socket) => socket.write(answerOf(200))))
    for (const status of [301, 302, 303, 307, 308]) {
      const { channel } = await between((socket) =>
        socket.write(answerOf(status, "", [`Location: ${elsewhere.url}`, `Refresh: 0; url=${elsewhere.url}`]))
      )
      expect(await channel.post()).toEqual(answered(status))
    }
    expect(elsewhere.taken()).toBe(0)
  })

  it("is kept up to its first 4 KB, in whole characters", async () => {
    const { channel, receiver } = await between((socket) => socket.write(answerOf(200, `a${"é".repeat(10_000)}`)))
    expect(await channel.post()).toEqual(answered(200, `a${"é".repeat(2047)}`))
    expect(await channel.post()).toEqual(answered(200, `a${"é".repeat(2047)}`))
    expect(receiver.taken()).toBe(1)
  })

  it("is kept as text whatever its bytes are", async () => {
    const { channel } = await between((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
      socket.write(Buffer.from([0x61, 0x00, 0xff, 0xc3, 0x62]))
    })
    expect(await channel.post()).toEqual(answered(200, "a\ufffd\ufffd\ufffdb"))
  })

  it("that is compressed is not unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    const { channel } = await between((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    })
    const before = process.memoryUsage().rss
    const exchange = await channel.post()
    expect(exchange).toMatchObject({ _tag: "Answered", status: 200 })
    expect(exchange._tag === "Answered" && exchange.answer.length).toBeLessThanOrEqual(4096)
    expect(process.memoryUsage().rss - before).toBeLessThan(15_000_000)
  })

  it("that comes in pieces, in chunks or up to the end of the connection is whole", async () => {
    const { channel, receiver } = await between((socket, _, connection) => {
      if (connection === 0) socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")
      if (connection === 0) setImmediate(() => socket.end())
      if (connection === 1) socket.end("HTTP/1.1 200 OK\r\n\r\nabc")
      if (connection === 2) socket.end("HTTP/1.0 200 OK\r\n\r\nabc")
    }) // prettier-ignore
    for (const taken of [1, 2, 3]) {
      expect(await channel.post()).toEqual(answered(200, "abc"))
      expect(receiver.taken()).toBe(taken)
      await eventually(receiver.open, (open) => open === 0)
    }
  })

  it("may come after interim answers such as 102 and 103", async () => {
    const hints = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".repeat(20)
    const { channel } = await between((socket) =>
      socket.write(`HTTP/1.1 102 Processing\r\n\r\n${hints}${answerOf(200)}`)
    )
    expect(await channel.post()).toEqual(answered(200))
  })

  it("counts by its status alone: a 2xx whose connection breaks has been delivered", async () => {
    const { channel } = await between((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
      setTimeout(() => reset(socket), 30)
    })
    expect(await channel.post()).toMatchObject({ _tag: "Answered", status: 200 })
  })

  it.each<[string, string, Exchange]>([
    ["the extension of a chunk", `${chunkedHead}1;`, { _tag: "Answered", status: 200, answer: "" }],
    ["interim answers", "", failed("BAD_RESPONSE")]
  ])(
    "of which %s go on for ever costs no more than half a megabyte, then its connection ends",
    async (_, head, expected) => {
      let written = 0
      const piece = head === "" ? "HTTP/1.1 102 Processing\r\n\r\n".repeat(1000) : "x".repeat(0x4000)
      const { channel, receiver } = await between((socket) => {
        socket.on("error", () => {})
        socket.write(head)
        const more = () => {
          while (!socket.destroyed && socket.write(piece)) written += piece.length
        }
        socket.on("drain", more)
        more()
      })
      expect(await channel.post()).toEqual(expected)
      await eventually(receiver.open, (open) => open === 0)
      expect(written).toBeLessThan(20_000_000)
    }
  )

  it("that goes on for ever is read to 64 KB, then its connection ends", async () => {
    let written = 0
    const { channel, receiver } = await between((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`
      const more = () => {
        while (!socket.destroyed && socket.write(chunk)) written += chunk.length
      }
      socket.on("drain", more)
      more()
    })
    expect(await channel.post()).toEqual(answered(200, "x".repeat(4096)))
    await eventually(receiver.open, (open) => open === 0)
    expect(written).toBeLessThan(20_000_000)
  })
})

const timed = async (exchange: Promise<Exchange>) => {
  const start = performance.now()
  const result = await exchange
  return [result, performance.now() - start] as const
}

describe("a receiver that gives no answer", () => {
  const within = 600
  const slow = { within }

  const never: ReadonlyArray<readonly [string, Answer]> = [
    ["takes the request and says nothing", () => {}],
    ["announces an answer and says no more", (socket) => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n")],
    ["sends its headers a byte at a time", (socket) => {
      const timer = setInterval(() => socket.write("H"), 50)
      socket.write("HTTP/1.1 200 OK\r\n")
      socket.on("close", () => clearInterval(timer))
    }],
    ["announces an answer for ever", (socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"), 5)
      socket.on("close", () => clearInterval(timer))
    }]
  ] // prettier-ignore

  it.each(never)("and %s, is cut off in time", async (_, answer) => {
    const { channel, receiver } = await between(answer, slow)
    const [exchange, took] = await timed(channel.post())
    expect(exchange).toEqual(failure("TIMEOUT"))
    expect(took).toBeGreaterThanOrEqual(within)
    expect(took).toBeLessThan(within + 1000)
    await eventually(receiver.open, (open) => open === 0)
  })

  it("before time is up has not delivered, whatever comes after", async () => {
    const { channel } = await between((socket) => setTimeout(() => socket.write(answerOf(200)), within + 20), slow)
    expect(await channel.post()).toEqual(failure("TIMEOUT"))
  })

  it("to the end, but a status in time, has answered", async () => {
    const { channel, receiver } = await between((socket) => {
      socket.write("HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n")
      const timer = setInterval(() => socket.write("1\r\nx\r\n"), 100)
      socket.on("close", () => clearInterval(timer))
    }, slow)
    const [exchange, took] = await timed(channel.post())
    expect(exchange).toMatchObject({ _tag: "Answered", status: 202, answer: expect.stringMatching(/^x+$/) })
    expect(took).toBeLessThan(within + 1000)
    await eventually(receiver.open, (open) => open === 0)
  })

  it("does not hold up the next exchange once it is cut off", async () => {
    const { channel } = await between((socket, _, connection) => connection > 0 && socket.write(answerOf(200)), {
      within,
      connections: 1
    })
    expect(await channel.post()).toEqual(failure("TIMEOUT"))
    expect(await channel.post()).toEqual(answered(200))
  })

  it("is told apart from the service's own wait for a connection", async () => {
    const { channel } = await between(() => {}, { within, connections: 1 })
    const both = await Promise.all([channel.post(), channel.post()])
    expect(both).toEqual([failure("TIMEOUT"), failure("SERVICE_FAILURE", true)])
  })

  const broken: ReadonlyArray<readonly [FailureClass, string, Answer]> = [
    ["CONNECTION_RESET", "closes the connection", (socket) => socket.destroy()],
    ["CONNECTION_RESET", "ends its half of the connection", (socket) => socket.end()],
    ["CONNECTION_RESET", "announces an answer and closes", (socket) => socket.end("HTTP/1.1 103 Early Hints\r\n\r\n")],
    ["CONNECTION_RESET", "resets the connection", reset],
    ["CONNECTION_RESET", "resets it amid the headers", (socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Le", () => setTimeout(() => reset(socket), 20))],
    ["CONNECTION_RESET", "ends it amid the headers", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Le")],
    ["BAD_RESPONSE", "speaks something else", (socket) => socket.write("220 mail.example ESMTP\r\n")],
    ["BAD_RESPONSE", "speaks nonsense", (socket) => socket.write("\u0000\u0001\u0002\u0003")],
    ["BAD_RESPONSE", "sends a header of 64 KB", (socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(65_536)}\r\n\r\n`)],
    ["BAD_RESPONSE", "sends headers without end", (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n")
      const more = () => {
        while (!socket.destroyed && socket.write(`X-Header: ${"x".repeat(1000)}\r\n`));
      }
      socket.on("drain", more)
      more()
    }],
    ["BAD_RESPONSE", "sends two lengths", (socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")],
    ["BAD_RESPONSE", "says 100 for ever", (socket) => socket.write("HTTP/1.1 100 Continue\r\n\r\n".repeat(100))],
    ["BAD_RESPONSE", "changes the protocol", (socket) =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n")]
  ] // prettier-ignore

  it.each(broken)("is %s when it %s, and its connection ends", async (error, _, answer) => {
    const { channel, receiver } = await between(answer)
    expect(await channel.post()).toEqual(failure(error))
    await eventually(receiver.open, (open) => open === 0)
    expect(receiver.requests.length).toBe(1)
  })

  it("is CONNECTION_REFUSED when nothing listens", async () => {
    const receiver = await startReceiver(() => {})
    await receiver.close()
    const channel = await kept(openChannel(receiver.url))
    expect(await channel.post()).toEqual(failure("CONNECTION_REFUSED"))
    expect(await channel.post()).toEqual(failure("CONNECTION_REFUSED"))
  })
})

it("keeps memory flat while receivers stream without end", async () => {
  const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`
  const { channel } = await between((socket) => {
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on("drain", more)
    more()
  })
  const round = async () => {
    for (let count = 0; count < 100; count++) expect(await channel.post()).toMatchObject({ status: 200 })
    return process.memoryUsage().rss
  }
  await round()
  const before = await round()
  await round()
  await round()
  expect((await round()) - before).toBeLessThan(60_000_000)
})

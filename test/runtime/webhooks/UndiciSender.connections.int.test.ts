/** How many connections a channel opens, how long it keeps them, and what happens to connections that break. */
import { afterEach, describe, expect, it } from "vitest"
import type * as net from "node:net"
import { webhookLimits } from "../../../src/schema/webhook/limits.ts"
import { eventually } from "../../support/eventually.ts"
import { answered, answerOf, closingAfter, failure, startReceiver } from "../openChannel.ts"

const { between, kept } = closingAfter(afterEach)

const reset = (socket: net.Socket) => socket.resetAndDestroy()

describe("connections", () => {
  it("are kept for the next exchange", async () => {
    const { channel, receiver } = await between((socket) => socket.write(answerOf(200, "ok")))
    for (let count = 0; count < 50; count++) expect(await channel.post()).toEqual(answered(200, "ok"))
    expect(receiver.taken()).toBe(1)
  })

  it("are kept however much they bring in many exchanges: what is bounded is one exchange", async () => {
    const text = "a".repeat(webhookLimits.keptAnswerBytes)
    const { channel, receiver } = await between((socket) => socket.write(answerOf(200, text)))
    const most = Math.ceil(webhookLimits.mostBytesOfExchange / text.length) + 1
    for (let count = 0; count < most; count++) expect(await channel.post()).toEqual(answered(200, text))
    expect(receiver.taken()).toBe(1)
  })

  it("are never more than allowed, and all exchanges get their turn", async () => {
    const { channel, receiver } = await between((socket) => setTimeout(() => socket.write(answerOf(200)), 2), {
      connections: 3
    })
    const exchanges = await Promise.all(Array.from({ length: 300 }, () => channel.post()))
    expect(exchanges).toEqual(exchanges.map(() => answered(200)))
    expect([receiver.taken(), receiver.mostOpen()]).toEqual([3, 3])
  })

  it("are never more than allowed when each exchange ends its own", async () => {
    const { channel, receiver } = await between((socket) => socket.end(answerOf(200, "", ["Connection: close"])), {
      connections: 3
    })
    const exchanges = await Promise.all(Array.from({ length: 60 }, () => channel.post()))
    expect(exchanges).toEqual(exchanges.map(() => answered(200)))
    expect(receiver.taken()).toBe(60)
    expect(receiver.mostOpen()).toBeLessThanOrEqual(4)
  })

  // A receiver closes a connection that it kept for a while just as the next request arrives.
  it("that the receiver closes under a request are opened again for the request, once", async () => {
    const { channel, receiver } = await between((socket, request, connection) => {
      if (request === 0 && connection < 2) socket.write(answerOf(200, String(connection)))
      else reset(socket)
    })
    expect(await channel.post("1")).toEqual(answered(200, "0"))
    expect(await channel.post("2")).toEqual(answered(200, "1"))
    expect(receiver.taken()).toBe(2)
    expect(await channel.post("3")).toEqual(failure("CONNECTION_RESET"))
    expect(receiver.requests.map((request) => request.at(-1))).toEqual(["1", "2", "2", "3", "3"])
  })

  it("that the receiver closes in the middle of an answer are not opened again: the receiver has had the request", async () => {
    const { channel, receiver } = await between((socket, request) => {
      if (request === 0) socket.write(answerOf(200))
      else socket.write("HTTP/1.1 20", () => reset(socket))
    })
    expect(await channel.post("1")).toEqual(answered(200))
    expect(await channel.post("2")).toEqual(failure("CONNECTION_RESET"))
    expect(receiver.requests.map((request) => request.at(-1))).toEqual(["1", "2"])
  })

  it("are not opened for an exchange whose time ran out while it waited for one: the receiver was asked nothing", async () => {
    const { channel, receiver } = await between(
      (socket, _, connection) => {
        if (connection > 0) socket.write(answerOf(200))
      },
      { connections: 1, within: 1000 }
    )
    let signed = 0
    const unanswered = channel.post("1")
    const waited = channel.post("2", () => {
      signed += 1
      return {}
    })
    expect(await Promise.all([unanswered, waited])).toEqual([failure("TIMEOUT"), failure("SERVICE_FAILURE", true)])
    expect(await channel.post("3")).toEqual(answered(200))
    expect([signed, receiver.taken(), receiver.requests.map((request) => request.at(-1))]).toEqual([0, 2, ["1", "3"]])
  })

  it("end with the channel, and what is under way is the service's own failure", async () => {
    const { channel, receiver } = await between(() => {}, { connections: 2 })
    const exchanges = Promise.all([channel.post(), channel.post(), channel.post()])
    await eventually(
      () => receiver.requests.length,
      (count) => count === 2
    )
    await channel.close()
    const own = failure("SERVICE_FAILURE", true)
    expect(await exchanges).toEqual([own, own, own])
    expect(await channel.post()).toEqual(own)
    await eventually(receiver.open, (open) => open === 0)
  })

  it("go through no proxy, whatever the environment says", async () => {
    const proxy = await kept(startReceiver((socket) => socket.write(answerOf(502))))
    const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
    process.env["NODE_USE_ENV_PROXY"] = "1"
    try {
      const { channel } = await between((socket) => socket.write(answerOf(200)))
      expect(await channel.post()).toEqual(answered(200))
      expect(proxy.taken()).toBe(0)
    } finally {
      for (const name of [...names, "NODE_USE_ENV_PROXY"]) delete process.env[name]
    }
  })
})

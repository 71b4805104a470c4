/**
 * When an exchange is signed: when its bytes can leave, and no sooner. The test says when a look-up, a connection and a handshake
 * go on. The code of production runs unchanged, except that the addresses of this machine count as public.
 */
import { Effect, Layer } from "effect"
import type * as net from "node:net"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { Resolver } from "../../../src/actors/webhook/actor/Resolver.ts"
import { ResolveFailed } from "../../../src/actors/webhook/rules/connectionErrors.ts"
import { receiverAuthority, startHeldReceiver, type HeldReceiver } from "../../support/heldReceiver.ts"
import { spyOnConnections } from "../connectSpy.ts"
import { answered, answerOf, closingAfter, failure, openChannel, resolverOf, startReceiver } from "../openChannel.ts"

vi.mock("../../../src/schema/webhook/publicAddress.ts", () => ({
  isPublicAddress: (address: string) => address.startsWith("127.")
}))

const { between, kept } = closingAfter(afterEach)

/** The time, and the times of all signatures. */
let now: number
let signed: Array<number>
const sign = () => {
  signed.push(now)
  return { "Service-Timestamp": String(now) }
}

let held: HeldReceiver
beforeEach(async () => {
  now = 0
  signed = []
  held = await startHeldReceiver()
  return async () => {
    vi.restoreAllMocks()
    await held.stop()
  }
})

const noHost = Layer.succeed(Resolver, { resolve: () => Effect.fail(new ResolveFailed({ reason: "NOT_FOUND" })) })

/** A promise that the test keeps, and one that says that somebody waits for it. */
const gate = <A>() => {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<A>()
  const wait = () => {
    reached.resolve()
    return opened.promise
  }
  return { wait, reached: reached.promise, open: opened.resolve }
}

const secure = { allowInsecure: false, certificates: [receiverAuthority] }
const toHeld = (options: Parameters<typeof openChannel>[1] = {}, host = "good.example") =>
  kept(openChannel(`https://${host}:${held.port}/hook`, { ...secure, ...options }))
const heldTimes = () => held.received.map(({ headers }) => Number(headers["service-timestamp"]))
const timeIn = (request: string) => Number(/service-timestamp: (\d+)/i.exec(request)?.[1])

describe("an exchange is signed", () => {
  it("after the look-up of the host, the connection and the handshake, however long each of them takes", async () => {
    const lookup = gate<ReadonlyArray<string>>()
    const connection = gate<string>()
    spyOnConnections(connection.wait)
    const resolver = Layer.succeed(Resolver, { resolve: () => Effect.promise(lookup.wait) })
    const channel = await toHeld({ resolver })
    const exchange = channel.post("{}", sign)
    await lookup.reached
    now = 3
    lookup.open(["127.0.0.1"])
    await connection.reached
    now = 6
    connection.open("127.0.0.1")
    await held.taken(1)
    expect(signed).toEqual([])
    now = 9
    held.letGo()
    expect(await exchange).toEqual(answered(500))
    expect([signed, heldTimes()]).toEqual([[9], [9]])
  })

  it("when it goes over a connection that is kept, and no other is opened", async () => {
    held.letGo()
    const channel = await toHeld()
    for (now of [1, 2, 3]) expect(await channel.post("{}", sign)).toEqual(answered(500))
    expect([signed, heldTimes(), held.connections()]).toEqual([[1, 2, 3], [1, 2, 3], 1])
  })

  it("when its turn comes, where all connections are busy", async () => {
    const { channel, receiver } = await between(
      (socket) => {
        now += 5
        socket.write(answerOf(200))
      },
      { connections: 1 }
    )
    const exchanges = await Promise.all([channel.post("1", sign), channel.post("2", sign)])
    expect(exchanges).toEqual([answered(200), answered(200)])
    expect([signed, receiver.requests.map(timeIn)]).toEqual([[0, 5], [0, 5]]) // prettier-ignore
  })

  it("once, where the receiver ends every connection with its answer", async () => {
    const { channel, receiver } = await between((socket) => socket.end(answerOf(200, "", ["Connection: close"])), {
      connections: 1
    })
    const exchanges = await Promise.all([1, 2, 3].map((number) => channel.post(String(number), sign)))
    expect(exchanges).toEqual([answered(200), answered(200), answered(200)])
    expect([signed.length, receiver.taken()]).toEqual([3, 3])
  })

  it("anew, where the receiver closes a kept connection under the request", async () => {
    const { channel, receiver } = await between((socket, request) => {
      now += 5
      if (request === 0) socket.write(answerOf(200))
      else socket.resetAndDestroy()
    })
    expect(await channel.post("1", sign)).toEqual(answered(200))
    expect(await channel.post("2", sign)).toEqual(answered(200))
    expect([signed, receiver.requests.map(timeIn)]).toEqual([[0, 5, 10], [0, 5, 10]]) // prettier-ignore
  })

  it("anew, where a kept connection is found closed before the request is written", async () => {
    let last: net.Socket | undefined
    const { channel, receiver } = await between((socket) => {
      last = socket
      socket.write(answerOf(200))
    })
    expect(await channel.post("1", sign)).toEqual(answered(200))
    // The post finds the connection open. undici reads from it once more before it writes, and a post that begins in a callback of
    // `setImmediate` lets it read the end of the connection.
    await new Promise(setImmediate)
    last?.destroy()
    const exchange = channel.post("2", sign)
    now = 8
    expect(await exchange).toEqual(answered(200))
    expect([signed, receiver.requests.map(timeIn)]).toEqual([[0, 0, 8], [0, 8]]) // prettier-ignore
  })
})

describe("nothing is signed", () => {
  it("where the host has no address", async () => {
    const channel = await toHeld({ resolver: noHost })
    expect(await channel.post("{}", sign)).toEqual(failure("DNS_NOT_FOUND"))
    expect(signed).toEqual([])
  })

  it("where the host leads to an address that is not public", async () => {
    const channel = await toHeld({ resolver: resolverOf({ "good.example": ["10.0.0.1"] }) })
    expect(await channel.post("{}", sign)).toEqual(failure("ADDRESS_NOT_PUBLIC"))
    expect(signed).toEqual([])
  })

  it("where nothing listens", async () => {
    const gone = await startReceiver(() => {})
    await gone.close()
    const channel = await kept(openChannel(gone.url))
    expect(await channel.post("{}", sign)).toEqual(failure("CONNECTION_REFUSED"))
    expect(signed).toEqual([])
  })

  it("where the certificate is for another host", async () => {
    held.letGo()
    const channel = await toHeld({}, "bad.example")
    expect(await channel.post("{}", sign)).toEqual(failure("TLS_WRONG_NAME"))
    expect([signed, held.received]).toEqual([[], []])
  })

  it("where the handshake takes all the time of the exchange, and the connection is let go", async () => {
    const channel = await toHeld({ within: 300 })
    expect(await channel.post("{}", sign)).toEqual(failure("TIMEOUT"))
    await held.left()
    expect(signed).toEqual([])
  })

  it("where the channel closes during the handshake, which is the service's own failure", async () => {
    const channel = await toHeld({ connections: 1 })
    const exchanges = Promise.all([channel.post("1", sign), channel.post("2", sign)])
    await held.taken(1)
    await channel.close()
    const own = failure("SERVICE_FAILURE", true)
    expect(await exchanges).toEqual([own, own])
    await held.left()
    expect([signed, held.connections()]).toEqual([[], 1])
  })
})

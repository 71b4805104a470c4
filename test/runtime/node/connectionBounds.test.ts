/** Floods of connections against a server with small bounds: who is let in, and who goes. */
import { once } from "node:events"
import { createServer, type RequestListener, type ServerResponse } from "node:http"
import { connect, type AddressInfo, type Socket } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { readAddressBlocks } from "../../../src/schema/addressBlocks.ts"
import { boundConnections } from "../../../src/runtime/node/connectionBounds.ts"

const most = 20
const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
const [here, elsewhere, proxy] = ["127.0.0.1", "127.0.0.2", "127.0.0.3"]

const ended: Array<() => void> = []
afterEach(() => ended.splice(0).forEach((end) => end()))

const startServer = async (answer: RequestListener, mostOfOneAddress = most) => {
  const server = createServer({ keepAliveTimeout: 60_000 }, answer)
  boundConnections(server, { most, mostOfOneAddress, proxies: readAddressBlocks(proxy) ?? [] })
  server.listen(0, here)
  await once(server, "listening")
  ended.push(() => server.close().closeAllConnections())
  return server
}

interface Caller {
  readonly socket: Socket
  readonly ask: () => Promise<string>
}

/** A connection that says nothing until it asks. */
const comes = async (server: { readonly address: () => unknown }, from = here): Promise<Caller> => {
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: here, localAddress: from })
  socket.on("error", () => {})
  ended.push(() => socket.destroy())
  await once(socket, "connect")
  return {
    socket,
    /** The first line of the answer; nothing if the server has closed the connection. */
    ask: () =>
      new Promise((resolve) => {
        socket.once("data", (bytes: Buffer) => resolve(bytes.toString().split("\r\n", 1)[0] ?? ""))
        socket.once("close", () => resolve(""))
        if (socket.destroyed || socket.readableEnded) return resolve("")
        socket.write(request)
      })
  }
}

const come = (server: Parameters<typeof comes>[0], count: number, from?: string): Promise<ReadonlyArray<Caller>> =>
  Promise.all(Array.from({ length: count }, () => comes(server, from)))

const gone = ({ socket }: Caller): Promise<unknown> =>
  socket.closed ? Promise.resolve() : once(socket.resume(), "close")

const ok: RequestListener = (_request, response) => response.end("ok")
const never: RequestListener = () => {}

describe("a server at the bound of its connections", () => {
  it("answers whoever comes, while hundreds hold connections and say nothing", async () => {
    const server = await startServer(ok)
    await come(server, 300)
    for (let times = 0; times < 5; times += 1) expect(await (await comes(server)).ask()).toBe("HTTP/1.1 200 OK")
  })

  it("answers whoever comes, while hundreds keep connections open after a first answer", async () => {
    const server = await startServer(ok)
    for (let times = 0; times < 15; times += 1) {
      await Promise.all((await come(server, most)).map(({ ask }) => ask()))
    }
    expect(await (await comes(server)).ask()).toBe("HTTP/1.1 200 OK")
  })

  it("lets silent connections go before idle ones, and the oldest before the others", async () => {
    const server = await startServer(ok)
    const first = await comes(server)
    const second = await comes(server)
    await first.ask()
    await second.ask()
    await first.ask()
    const silent = await come(server, most - 2)
    for (const one of silent) {
      await comes(server).then(({ ask }) => ask())
      await gone(one)
    }
    expect([first.socket.closed, second.socket.closed]).toEqual([false, false])
    await comes(server).then(({ ask }) => ask())
    await gone(second)
    expect(await first.ask()).toBe("HTTP/1.1 200 OK")
  })

  it("counts the connections of all addresses together", async () => {
    const server = await startServer(ok, most / 2)
    const [oldest] = await come(server, most / 2, elsewhere)
    if (oldest === undefined) throw new Error("nobody came")
    await come(server, most / 2)
    expect(await (await comes(server, "127.0.0.4")).ask()).toBe("HTTP/1.1 200 OK")
    expect(await oldest.ask()).toBe("")
  })

  it("lets nobody go in the place of those who have left", async () => {
    const server = await startServer(ok)
    let left = 0
    const halfHaveLeft = new Promise<void>((resolve) => {
      server.on("connection", (socket: Socket) => {
        socket.once("close", () => {
          left += 1
          if (left === most / 2) resolve()
        })
      })
    })
    const callers = await come(server, most)
    for (const { socket } of callers.slice(most / 2)) socket.destroy()
    await halfHaveLeft
    for (const { ask } of await come(server, most / 2)) await ask()
    for (const { ask } of callers.slice(0, most / 2)) expect(await ask()).toBe("HTTP/1.1 200 OK")
  })

  it("never drops a connection that is being answered: where all are, a new one is refused", async () => {
    const waiting: Array<() => void> = []
    const server = await startServer((_request, response) => waiting.push(() => response.end("ok")))
    const callers = await come(server, most)
    const asked = callers.map(({ ask }) => ask())
    while (waiting.length < most) await once(server, "request")
    expect(await (await comes(server)).ask()).toBe("")
    for (const answer of waiting) answer()
    expect(new Set(await Promise.all(asked))).toEqual(new Set(["HTTP/1.1 200 OK"]))
  })

  it("counts a connection as being answered until its last request is", async () => {
    const waiting: Array<() => void> = []
    const server = await startServer((_request, response) => waiting.push(() => response.end("ok")), 1)
    const caller = await comes(server)
    caller.socket.write(request.repeat(2))
    while (waiting.length < 2) await once(server, "request")
    waiting[0]?.()
    await once(caller.socket, "data")
    expect(await (await comes(server)).ask()).toBe("")
    expect(caller.socket.closed).toBe(false)
  })
})

describe("a server at the bound of one address", () => {
  it("refuses this address alone", async () => {
    const server = await startServer(never, 5)
    const asked = (await come(server, 5)).map(({ ask }) => ask())
    for (let times = 0; times < asked.length; times += 1) await Promise.race([once(server, "request"), asked[0]])
    expect(await (await comes(server)).ask()).toBe("")
    const other = await comes(server, elsewhere)
    other.socket.write(request)
    await once(server, "request")
    expect(other.socket.closed).toBe(false)
  })

  it("lets a connection of this address go and none of another, also where all connections are at their bound", async () => {
    const server = await startServer(ok, most / 2)
    const others = await come(server, most / 2, elsewhere)
    const [oldest] = await come(server, most / 2)
    if (oldest === undefined) throw new Error("nobody came")
    expect(await (await comes(server)).ask()).toBe("HTTP/1.1 200 OK")
    await gone(oldest)
    for (const { ask } of others) expect(await ask()).toBe("HTTP/1.1 200 OK")
  })

  it("refuses this address when a connection has gone and another has come in its place", async () => {
    const server = await startServer(never, 5)
    const asksOne = async (from?: string) => {
      const caller = await comes(server, from)
      const asked = once(server, "request")
      return { caller, answer: await Promise.race([caller.ask(), asked.then(() => "is being answered")]) }
    }
    for (let count = 0; count < 4; count += 1) await asksOne()
    const asked = once(server, "request")
    const { caller } = await asksOne()
    const [, response] = (await asked) as [unknown, ServerResponse]
    const left = once(response, "close")
    caller.socket.destroy()
    await left
    expect((await asksOne()).answer).toBe("is being answered")
    expect((await asksOne()).answer).toBe("")
    expect((await asksOne(elsewhere)).answer).toBe("is being answered")
  })

  it("counts the addresses of one network of IPv6 (/64) as one address", async () => {
    const server = await startServer(never, 2)
    // A machine has one address of its own in IPv6, so the connections say that they come from others.
    const addresses = ["2001:db8:1:1::1", "2001:db8:1:1::2", "2001:db8:1:2::1", "2001:db8:1:1:ffff::3"]
    server.prependListener("connection", (socket: Socket) => {
      Object.defineProperty(socket, "remoteAddress", { value: addresses.shift() })
    })
    const callers: Array<Caller> = []
    for (let count = addresses.length; count > 0; count -= 1) {
      callers.push(await comes(server))
      await Promise.race([once(server, "request"), callers.at(-1)?.ask()])
    }
    expect(callers.map(({ socket }) => socket.closed)).toEqual([false, false, false, true])
  })

  it("does not count the connections of a trusted proxy", async () => {
    const server = await startServer(ok, 5)
    const callers = await come(server, 15, proxy)
    expect(new Set(await Promise.all(callers.map(({ ask }) => ask())))).toEqual(new Set(["HTTP/1.1 200 OK"]))
    expect(callers.filter(({ socket }) => socket.closed)).toEqual([])
  })
})

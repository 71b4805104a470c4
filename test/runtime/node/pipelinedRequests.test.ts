/** Clients that send many requests on one connection without waiting: when these are handled, and what others notice. */
import { EventEmitter, once } from "node:events"
import { createServer, IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { connect, type AddressInfo, type Socket } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { boundConnections } from "../../../src/runtime/node/connectionBounds.ts"
import { handleOneByOne } from "../../../src/runtime/node/pipelinedRequests.ts"

const ended: Array<() => void> = []
afterEach(() => ended.splice(0).forEach((end) => end()))

const startServer = async (
  answer: RequestListener,
  bounds = { mostWaiting: 100, mostWaitingOfOne: 100 },
  most = 20,
  Request = IncomingMessage
) => {
  const server = createServer({ keepAliveTimeout: 60_000, IncomingMessage: Request }, answer)
  boundConnections(server, { most, mostOfOneAddress: most, proxies: [] })
  handleOneByOne(server, bounds)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  ended.push(() => server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

const comes = async (port: number): Promise<Socket> => {
  const socket = connect({ port, host: "127.0.0.1" })
  socket.on("error", () => {})
  ended.push(() => socket.destroy())
  await once(socket, "connect")
  return socket
}

const get = (path: string | number) => `GET /${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (path: string | number, body: string) =>
  `POST /${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, at) => at)

/** The bodies of so many answers, each a number in angle brackets. */
const answersOn = async (socket: Socket, count: number): Promise<ReadonlyArray<string>> => {
  let text = ""
  for await (const piece of socket.setEncoding("utf8")) {
    text += String(piece)
    const found = text.match(/<\w+>/g) ?? []
    if (found.length >= count) return found
  }
  return text.match(/<\w+>/g) ?? []
}

const whole = async (request: IncomingMessage, response: ServerResponse) => {
  let body = ""
  for await (const piece of request) body += String(piece)
  response.end(`<${body}>`)
}

const echo: RequestListener = (request, response) => response.end(`<${request.url?.slice(1)}>`)

const echoOnlyLast: RequestListener = (request, response) => {
  if (request.url === "/last") echo(request, response)
}

describe("requests that one connection sends without waiting", () => {
  it("are handled one after the other, and answered in their order", async () => {
    let handled = 0
    let mostAtOnce = 0
    const port = await startServer((request, response) => {
      handled += 1
      mostAtOnce = Math.max(mostAtOnce, handled)
      response.once("close", () => (handled -= 1))
      setImmediate(() => echo(request, response))
    })
    const socket = await comes(port)
    socket.write(numbers(100).map(get).join(""))
    expect(await answersOn(socket, 100)).toEqual(numbers(100).map((number) => `<${number}>`))
    expect(mostAtOnce).toBe(1)
  })

  it("leave each turn of the event loop to others: a later caller is answered among them", async () => {
    const order: Array<string> = []
    const port = await startServer((request, response) => {
      order.push(request.url ?? "")
      echo(request, response)
    })
    const [greedy, other] = [await comes(port), await comes(port)]
    greedy.write(numbers(100).map(get).join(""))
    other.write(get("other"))
    await Promise.all([answersOn(greedy, 100), answersOn(other, 1)])
    expect(order.indexOf("/other")).toBeLessThan(50)
  })

  it("bring their bodies along, and nothing more is read while one waits", async () => {
    const port = await startServer((request, response) => void whole(request, response), {
      mostWaiting: 400,
      mostWaitingOfOne: 400
    })
    const socket = await comes(port)
    const bodies = numbers(3000).map((number) => `${number}`.padStart(200, "x"))
    socket.write(bodies.map((body, number) => post(number, body)).join(""))
    // A piece of what is sent holds fewer than may wait, and all of it more.
    expect(await answersOn(socket, 3000)).toEqual(bodies.map((body) => `<${body}>`))
  })

  it("are cut off where too many wait on a connection, or on all", async () => {
    const port = await startServer(() => {}, { mostWaiting: 15, mostWaitingOfOne: 10 })
    const [first, second, third] = [await comes(port), await comes(port), await comes(port)]
    first.write(numbers(12).map(get).join(""))
    await once(first.resume(), "close")
    second.write(numbers(10).map(get).join(""))
    third.write(numbers(8).map(get).join(""))
    await Promise.race([once(second.resume(), "close"), once(third.resume(), "close")])
    // What waited on the connections that were cut counts no more.
    expect([second.closed, third.closed].filter((isClosed) => !isClosed)).toHaveLength(1)
  })

  it("are read no further where their connection is cut: the rest of what has arrived costs nothing", async () => {
    let read = 0
    class Counted extends IncomingMessage {
      constructor(socket: Socket) {
        super(socket)
        read += 1
      }
    }
    const port = await startServer(echoOnlyLast, { mostWaiting: 100, mostWaitingOfOne: 10 }, 20, Counted)
    const socket = await comes(port)
    // Fewer bytes than Node reads at once.
    socket.write(numbers(1000).map(get).join(""))
    await once(socket.resume(), "close")
    // One that is handled, ten that wait, the one that is too many, and the one at which the reading ends.
    expect(read).toBe(13)
    // Node uses the parser of a connection again.
    const next = await comes(port)
    next.write(get("last"))
    expect(await answersOn(next, 1)).toEqual(["<last>"])
  })

  it("cost no stack of an error each when their connection goes, and later errors have theirs", async () => {
    const news = new EventEmitter()
    const port = await startServer((request) => void request.on("error", (error) => news.emit("gone", error)), {
      mostWaiting: 100,
      mostWaitingOfOne: 10
    })
    const socket = await comes(port)
    const gone = once(news, "gone")
    socket.write(numbers(100).map(get).join(""))
    const [error] = await gone
    expect(String(error.stack).split("\n")).toHaveLength(1)
    expect(String(new Error("later").stack).split("\n").length).toBeGreaterThan(1)
  })

  it("count as a connection that is being answered, until the last of them is answered", async () => {
    const held: Array<() => void> = []
    const news = new EventEmitter()
    const port = await startServer(
      (request, response) => {
        if (request.url === "/other") echo(request, response)
        else held.push(() => echo(request, response))
        news.emit("held")
      },
      undefined,
      1
    )
    const isHeld = async (count: number) => {
      while (held.length < count) await once(news, "held")
    }
    const socket = await comes(port)
    const answers = answersOn(socket, 2)
    socket.write(get(1) + get(2))
    await isHeld(1)
    held[0]?.()
    // Whoever comes meanwhile finds no room.
    await once((await comes(port)).resume(), "close")
    await isHeld(2)
    held[1]?.()
    expect(await answers).toEqual(["<1>", "<2>"])
  })
})

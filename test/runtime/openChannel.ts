/** A channel to try out, and receivers that answer a request with whatever bytes a test wants. */
import { Effect, Exit, Layer, Scope } from "effect"
import * as net from "node:net"
import { Resolver } from "../../src/actors/webhook/actor/Resolver.ts"
import { Sender, type Sign } from "../../src/actors/webhook/actor/Sender.ts"
import type { Exchange } from "../../src/actors/webhook/rules/Exchange.ts"
import type { FailureClass } from "../../src/schema/failureClass.ts"
import * as UndiciSender from "../../src/runtime/webhooks/UndiciSender.ts"

interface Options {
  readonly connections?: number
  readonly allowInsecure?: boolean
  readonly within?: number
  readonly certificates?: ReadonlyArray<string>
  readonly resolver?: Layer.Layer<Resolver>
}

interface OpenChannel {
  readonly post: (body?: string, sign?: Sign) => Promise<Exchange>
  readonly close: () => Promise<void>
}

/** Hosts as the test says, and every other one at loopback. */
export const resolverOf = (hosts: Readonly<Record<string, ReadonlyArray<string>>> = {}): Layer.Layer<Resolver> =>
  Layer.succeed(Resolver, { resolve: (host) => Effect.succeed(hosts[host] ?? ["127.0.0.1"]) })

export const openChannel = async (
  url: string,
  { allowInsecure = true, certificates = [], connections = 4, resolver = resolverOf(), within = 10_000 }: Options = {}
): Promise<OpenChannel> => {
  const scope = Scope.makeUnsafe()
  const sender = UndiciSender.layerOf({ allowInsecure, within, certificates }).pipe(Layer.provide(resolver))
  const channel = await Effect.runPromise(
    Effect.gen(function* () {
      const services = yield* Layer.buildWithScope(sender, scope)
      return yield* Effect.flatMap(Sender, ({ open }) => open(url, connections)).pipe(Effect.provide(services))
    }).pipe(Effect.provideService(Scope.Scope, scope))
  )
  return {
    post: (body = "{}", sign = () => ({})) => {
      let isReturned = false
      const exchange = new Promise<Exchange>((resolve, reject) => {
        channel.post(sign, body, (exchange) => {
          if (isReturned) resolve(exchange)
          else reject(new Error("done was called before post returned"))
        })
      })
      isReturned = true
      return exchange
    },
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

type Answer = (socket: net.Socket, requestOfConnection: number, connection: number) => void

interface Receiver {
  readonly port: number
  readonly url: string
  /** Connections taken so far, and open now. */
  readonly taken: () => number
  readonly open: () => number
  readonly mostOpen: () => number
  /** What came, connection by connection. */
  readonly requests: Array<string>
  readonly close: () => Promise<void>
}

/** Calls `answer` once a whole request is there; the requests of a connection are counted from 0. */
export const startReceiver = async (answer: Answer, host = "127.0.0.1"): Promise<Receiver> => {
  const sockets = new Set<net.Socket>()
  const requests: Array<string> = []
  let taken = 0
  let mostOpen = 0
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const connection = taken++
    let count = 0
    let heard = ""
    sockets.add(socket)
    mostOpen = Math.max(mostOpen, sockets.size)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => {})
    socket.on("end", () => socket.end())
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1")
      for (;;) {
        const head = heard.indexOf("\r\n\r\n")
        const length = Number(/content-length: (\d+)/i.exec(heard)?.[1] ?? 0)
        if (head === -1 || heard.length < head + 4 + length) return
        requests.push(heard.slice(0, head + 4 + length))
        heard = heard.slice(head + 4 + length)
        answer(socket, count++, connection)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as net.AddressInfo
  return {
    port,
    url: `http://${host}:${port}/hook`,
    taken: () => taken,
    open: () => sockets.size,
    mostOpen: () => mostOpen,
    requests,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      })
  }
}

export const answerOf = (status: number, body = "", headers: ReadonlyArray<string> = []): string =>
  [
    `HTTP/1.1 ${status} X`,
    ...headers,
    ...(status === 204 || status === 304 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    "",
    body
  ].join("\r\n")

export const failure = (error: FailureClass, isOwn = false): Exchange => ({ _tag: "Failed", error, isOwn })
export const answered = (status: number, answer = ""): Exchange => ({ _tag: "Answered", status, answer })

/** What a test opens is closed after it, the last first. */
export const closingAfter = (afterEach: (close: () => Promise<void>) => void) => {
  const opened: Array<{ readonly close: () => Promise<void> }> = []
  afterEach(async () => {
    for (const thing of opened.splice(0).toReversed()) await thing.close()
  })
  const kept = async <A extends { readonly close: () => Promise<void> }>(opening: Promise<A>): Promise<A> => {
    const thing = await opening
    opened.push(thing)
    return thing
  }
  /** A receiver that answers so, and a channel to it. */
  const between = async (answer: Answer, options?: Options) => {
    const receiver = await kept(startReceiver(answer))
    return { receiver, channel: await kept(openChannel(receiver.url, options)) }
  }
  return { kept, between }
}

/**
 * One connection to a receiver, for one exchange at a time. The line opens the connection itself and has an exchange signed only
 * when its bytes can leave: undici takes the headers of a request before it opens a connection, so through a slow handshake the
 * signature would be as old as the handshake took. Which line an exchange goes over is the channel's business.
 *
 *   exchange ──▶ is the connection open? ──yes──▶ sign ──▶ undici writes
 *                        └──no──▶ look up, connect, TLS ──▶ sign ──▶ undici takes the socket and writes
 */
import type * as net from "node:net"
import { Readable } from "node:stream"
import { setTimeout } from "node:timers/promises"
import { Duration } from "effect"
import { Client } from "undici"
import { fixedWebhookHeaders } from "../../actors/webhook/rules/webhookHeaders.ts"
import { webhookLimits } from "../../schema/webhook/limits.ts"
import type { Carrier, PostExchange } from "./PostExchange.ts"
import { connectTargetOf, type Connect, type Target } from "./publicConnection.ts"

const pieceMillis = Duration.toMillis(webhookLimits.slowPiecesEvery)
const idleMillis = Duration.toMillis(webhookLimits.connectionIdleTime)

const fixedHeaders = Object.entries(fixedWebhookHeaders).flat()

/** The body as a bad line carries it. */
const inPieces = (body: string): Readable => {
  const bytes = Buffer.from(body)
  const size = Math.ceil(bytes.length / webhookLimits.slowPieces)
  return Readable.from(
    (async function* () {
      for (let from = 0; from < bytes.length; from += size) {
        if (from > 0) await setTimeout(pieceMillis)
        yield bytes.subarray(from, from + size)
      }
    })()
  )
}

const nothing = (): void => {}

/** undici counts neither interim answers nor what frames a body's chunks: a receiver could keep the event loop busy with them. */
const tooLong = (): Error =>
  Object.assign(new Error("the connection brought too much for one exchange"), {
    code: "UND_ERR_RES_EXCEEDED_MAX_SIZE"
  })

const lost = (): Error =>
  Object.assign(new Error("the connection was lost before the request was sent"), { code: "ECONNRESET" })

/** The connection is opened when it is first needed, and again after it was lost. */
export class ReceiverLine implements Carrier {
  answered = 0
  readonly #path: string
  readonly #target: Target
  readonly #connect: Connect
  readonly #client: Client
  /** The connection that was opened last. */
  #socket: net.Socket | undefined
  /** The same connection as long as undici has not taken it. */
  #untaken: net.Socket | undefined
  /** The exchange that waits until the connection is open. */
  #waiting: PostExchange | undefined
  #giveUpConnecting = nothing
  /** What the connection had brought before the exchange that it carries. */
  #readBefore = 0
  #isEnded = false

  constructor(url: URL, connect: Connect) {
    this.#path = url.pathname + url.search
    this.#target = connectTargetOf(url)
    this.#connect = connect
    this.#client = new Client(url.origin, {
      connect: (_, callback) => this.#handOver(callback),
      allowH2: false,
      useMilo: false,
      pipelining: 1,
      keepAliveTimeout: idleMillis,
      keepAliveMaxTimeout: idleMillis,
      maxHeaderSize: webhookLimits.largestAnswerHeadersBytes,
      // `Deadlines.ts` limits the exchange as a whole.
      headersTimeout: 0,
      bodyTimeout: 0
    })
  }

  dispatch(exchange: PostExchange): void {
    if (this.#isEnded) exchange.cancel()
    else if (this.#socket?.destroyed === false) this.#send(exchange)
    else this.#open(exchange)
  }

  end(): void {
    this.#isEnded = true
    this.#giveUpConnecting()
    this.#untaken?.destroy()
    this.#waiting?.cancel()
    this.#client.destroy(null, nothing)
  }

  #open(exchange: PostExchange): void {
    this.answered = 0
    this.#waiting = exchange
    this.#giveUpConnecting = this.#connect(this.#target, (error, socket) => {
      this.#waiting = undefined
      if (socket === null) {
        exchange.onResponseError(null, error)
        return
      }
      // An error before undici listens is found when undici takes the socket.
      socket.on("error", nothing)
      this.#socket = socket
      this.#untaken = socket
      this.#send(exchange)
    })
  }

  #send(exchange: PostExchange): void {
    this.#readBefore = this.#socket?.bytesRead ?? 0
    const headers = fixedHeaders.slice()
    const { isSlow } = exchange
    // The length of a stream is known to nobody else.
    if (isSlow) headers.push("Content-Length", String(Buffer.byteLength(exchange.body)))
    const own = exchange.sign()
    for (const name in own) headers.push(name, own[name] ?? "")
    const body = isSlow ? inPieces(exchange.body) : exchange.body
    this.#client.dispatch({ path: this.#path, method: "POST", headers, body, blocking: false }, exchange)
  }

  /**
   * undici asks for a connection. Without a new one the connection was lost after the request was signed, and a later one could
   * make the signature old: the exchange fails, and is signed anew if it is made once more. undici takes no answer while it asks.
   */
  #handOver(callback: Parameters<Connect>[1]): void {
    const socket = this.#untaken
    this.#untaken = undefined
    queueMicrotask(() => {
      if (socket === undefined) return callback(lost(), null)
      callback(null, socket)
      socket.on("readable", () => {
        if (socket.bytesRead - this.#readBefore > webhookLimits.mostBytesOfExchange) socket.destroy(tooLong())
      })
    })
  }
}

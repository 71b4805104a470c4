/**
 * Requests that a client sends on one connection without waiting for answers. They are handled one after the other, each in a turn
 * of the event loop of its own: one piece of a connection can hold a thousand requests, and handling them together would keep
 * everybody else waiting for seconds. What waits is bounded. The answers leave in this order in any case (RFC 9112, 9.3.2).
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

export interface PipelineBounds {
  /** Requests of one connection that wait. A connection that brings more is cut. */
  readonly mostWaitingOfOne: number
  /** Requests of all connections that wait. At the bound a connection that brings another one is cut. */
  readonly mostWaiting: number
}

type Arrived = readonly [request: IncomingMessage, response: ServerResponse]

/** The requests of one connection. */
interface Line {
  isHandling: boolean
  readonly waiting: Array<Arrived>
}

/** Node's server keeps the parser of a connection in this member, and the parser tells this one of each request. */
interface Parsed {
  readonly parser?: { onIncoming: () => number } | null
}

/** Tells the parser that another protocol follows. */
const readNoFurther = () => 2

/**
 * Also ends the reading of the piece that has arrived: it may hold thousands of requests more, and a hundred such pieces, which the
 * event loop takes in one turn, would hold it up for seconds.
 */
const cut = (socket: Socket): void => {
  socket.destroy()
  const { parser } = socket as Parsed
  if (parser !== undefined && parser !== null) parser.onIncoming = readNoFurther
}

const lines = new WeakMap<Socket, Line>()

/** Whether the connection has sent requests that nobody has begun to handle. */
export const hasWaitingRequests = (socket: Socket): boolean => (lines.get(socket)?.waiting.length ?? 0) > 0

/** The server's listeners hear of a request when the one before it on its connection has been answered. */
export const handleOneByOne = (server: Server, { mostWaiting, mostWaitingOfOne }: PipelineBounds): void => {
  const emit = server.emit.bind(server)
  let allWaiting = 0

  const begin = (line: Line, [request, response]: Arrived): boolean => {
    line.isHandling = true
    response.once("close", () => {
      line.isHandling = false
      // Answers that are there at once would otherwise follow one another within one turn.
      if (line.waiting.length > 0) setImmediate(beginNext, line)
    })
    return emit("request", request, response)
  }

  const beginNext = (line: Line): void => {
    const next = line.waiting.shift()
    if (next === undefined) return
    allWaiting -= 1
    const { socket } = next[0]
    // The connection ends with the answer to something wrong behind these requests.
    if (!socket.writable) return
    if (line.waiting.length === 0) socket.resume()
    begin(line, next)
  }

  const openLine = (socket: Socket): Line => {
    const line: Line = { isHandling: false, waiting: [] }
    lines.set(socket, line)
    // Whoever reads a body has Node read the connection again, also one that is paused: then `pause` says nothing, and Node's server
    // stops reading at the event.
    socket.on("resume", () => {
      if (line.waiting.length > 0) socket.pause().emit("pause")
    })
    // Node makes an error for each request whose connection has ended. The stacks of a thousand of them, which nobody reads, would cost
    // more than their answers.
    let ordinary = Error.stackTraceLimit
    socket.prependOnceListener("close", () => {
      ordinary = Error.stackTraceLimit
      if (line.waiting.length > 0) Error.stackTraceLimit = 0
    })
    socket.once("close", () => {
      Error.stackTraceLimit = ordinary
      allWaiting -= line.waiting.splice(0).length
    })
    return line
  }

  const arrive = (arrived: Arrived): boolean => {
    const { socket } = arrived[0]
    const line = lines.get(socket) ?? openLine(socket)
    if (!line.isHandling && line.waiting.length === 0) return begin(line, arrived)
    if (line.waiting.length >= mostWaitingOfOne || allWaiting >= mostWaiting) {
      cut(socket)
      return true
    }
    line.waiting.push(arrived)
    allWaiting += 1
    // Nothing more is read before these are handled.
    socket.pause()
    return true
  }

  const emitInTurn = (event: string, ...given: ReadonlyArray<unknown>): boolean =>
    event === "request" ? arrive(given as unknown as Arrived) : emit(event, ...given)
  server.emit = emitInTurn as Server["emit"]
}

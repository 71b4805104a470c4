/**
 * Node's HTTP server with the limits that Node leaves open. It answers its own errors as a route would, with the envelope or
 * with a page, because a request that the parser refuses never reaches a route.
 */
import * as Duration from "effect/Duration"
import { HttpServerResponse } from "effect/http"
import { createServer, ServerResponse, STATUS_CODES, type IncomingMessage, type Server } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { ErrorCode } from "../../schema/problems.ts"
import { alwaysSentAt, type AnswerProblem, type RequestHead } from "../../http/server/answers/answering.ts"
import { problem, problemResponse, type Problem } from "../../http/server/answers/problems.ts"
import { boundConnections, type ConnectionBounds } from "./connectionBounds.ts"
import { nodeLimits } from "./limits.ts"
import { handleOneByOne } from "./pipelinedRequests.ts"
import { goesOn } from "./slowUploads.ts"

const codeOf = (error: Error & { readonly code?: string }): ErrorCode => {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return "HEADERS_TOO_LARGE"
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return "PAYLOAD_TOO_LARGE"
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "REQUEST_TIMEOUT"
    default:
      return "VALIDATION_FAILED"
  }
}

/** Node keeps the answer that a connection is busy with in this member. Node's own default handler reads it too. */
interface Answering {
  readonly _httpMessage?: ServerResponse | null
}

/** What Node says of a request that it cannot go on with. */
interface ConnectionError extends Error {
  readonly code?: string
  /** What had arrived when the parser gave up. */
  readonly rawPacket?: Buffer
}

export interface ServerOptions {
  readonly newRequestId: () => string
  readonly answerProblem: AnswerProblem
  readonly bounds: ConnectionBounds
  /** The public address, as far as it is known before the server listens. */
  readonly baseUrl: string | null
}

/** Answers what no route can answer, and closes the connection. */
const connectionErrors = ({ answerProblem, baseUrl, newRequestId }: ServerOptions) => {
  const always = alwaysSentAt({ baseUrl })
  const answer = (socket: Duplex, asked: RequestHead | null, failure: Problem): void => {
    const response = asked === null ? problemResponse(failure) : answerProblem(asked, failure)
    const headers = { ...always, ...response.headers, "request-id": newRequestId() }
    socket.end(onTheWire(HttpServerResponse.setHeaders(response, headers)))
    // A client that goes on sending would keep the connection.
    const cut = setTimeout(() => socket.destroy(), Duration.toMillis(nodeLimits.closeWithin))
    socket.once("close", () => clearTimeout(cut))
  }
  const failed = (error: ConnectionError, socket: Duplex): void => {
    if (waitsForEarlier(socket, () => failed(error, socket))) return
    const busy = answeringOn(socket)
    const isAnswering = busy?.headersSent === true
    // The other side has gone, or an answer is already on its way, so nobody can be told. Browsers open connections ahead
    // of need, and one that never sent anything would take an answer for that of its first request.
    if (error.code === "ECONNRESET" || !socket.writable || isAnswering || (socket as Socket).bytesRead === 0) {
      socket.destroy()
      return
    }
    const code = codeOf(error)
    if (code === "REQUEST_TIMEOUT" && busy !== undefined && goesOn(busy.req, () => failed(error, socket))) return
    const message = code === "VALIDATION_FAILED" ? "The request is no well-formed HTTP" : undefined
    answer(socket, busy === undefined ? askedIn(error.rawPacket) : askedOf(busy.req), problem(code, "request", message))
  }
  const refused = (request: IncomingMessage, socket: Duplex): void => {
    if (waitsForEarlier(socket, () => refused(request, socket))) return
    answer(socket, askedOf(request), problem("METHOD_NOT_ALLOWED", "request", undefined, { allow: "" }))
  }
  return { failed, refused }
}

const answeringOn = (socket: Duplex): ServerResponse | undefined =>
  // oxlint-disable-next-line no-underscore-dangle -- the name is Node's
  (socket as Answering)._httpMessage ?? undefined

/** The connections on which the answer to something wrong waits for answers before it. */
const waiting = new WeakSet<Duplex>()

/**
 * What is wrong came behind requests that came whole, and these keep their answers: a start that was made must not be answered
 * with the refusal of what follows it. `then` is called when the last of them is answered. Until then the parser may complain
 * again, of the bytes that still come.
 */
const waitsForEarlier = (socket: Duplex, then: () => void): boolean => {
  const earlier = answeringOn(socket)
  if (earlier?.req.complete !== true) return false
  if (waiting.has(socket)) return true
  waiting.add(socket)
  earlier.once("close", () => {
    waiting.delete(socket)
    then()
  })
  return true
}

const askedOf = ({ headers, url }: IncomingMessage): RequestHead => ({
  url: url ?? "",
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
})

/** What was asked, as far as the bytes show it at which the parser gave up. Null: their beginning came before. */
const askedIn = (packet: Buffer | undefined): RequestHead | null => {
  const [line = "", ...lines] = (packet?.toString("latin1") ?? "").split("\r\n")
  const url = /^[A-Z]+ (\S+)/.exec(line)?.[1]
  const headers = lines.map((text) => /^([\w-]+): *(.*)$/.exec(text)).filter((found) => found !== null)
  return url === undefined
    ? null
    : { url, headers: Object.fromEntries(headers.map(([, name = "", value = ""]) => [name.toLowerCase(), value])) }
}

/** An answer as bytes, for a connection on which Node can send none. */
const onTheWire = ({ body, headers, status }: HttpServerResponse.HttpServerResponse): Buffer => {
  const content = body._tag === "Uint8Array" || body._tag === "Raw" ? Buffer.from(body.body as string | Uint8Array) : ""
  const lines = Object.entries({
    ...headers,
    connection: "close",
    "content-length": String(content.length)
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`
  return Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(content)])
}

/** Makes the server; it does not listen yet. */
export const makeServer = (options: ServerOptions): Server => {
  const { failed, refused } = connectionErrors(options)
  const server = createServer({
    ServerResponse: ClosingResponse,
    maxHeaderSize: nodeLimits.largestHeaderBytes,
    headersTimeout: Duration.toMillis(nodeLimits.headersWithin),
    requestTimeout: Duration.toMillis(nodeLimits.requestWithin),
    keepAliveTimeout: Duration.toMillis(nodeLimits.keepAlive),
    connectionsCheckingInterval: Duration.toMillis(nodeLimits.checkConnectionsEvery),
    // Node would refuse a request without Host, but without the envelope. The routes refuse it instead.
    requireHostHeader: false,
    // No route speaks another protocol. A client that merely offers one (Java's client offers h2c) is answered in
    // HTTP/1.1.
    shouldUpgradeCallback: () => false
  })
  // A client that takes nothing of its answer would be busy for ever.
  server.timeout = Duration.toMillis(nodeLimits.standstill)
  boundConnections(server, options.bounds)
  handleOneByOne(server, {
    mostWaitingOfOne: nodeLimits.mostRequestsWaitingOfConnection,
    mostWaiting: nodeLimits.mostRequestsWaitingBehindOthers
  })
  server.on("clientError", failed)
  // A server may ignore an expectation that it does not know (RFC 9110, 10.1.1). Node would refuse it without the
  // envelope.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("connect", refused)
  return closingConnections(server)
}

/**
 * A stopping server of Node closes idle connections, but a connection that is busy at that moment stays open after its
 * answer, for as long as keep-alive allows. A client that never pauses would hold up the stop.
 */
const closingConnections = (server: Server): Server => {
  const close = server.close.bind(server)
  server.close = (done) => {
    stopping.add(server)
    const closing = setInterval(() => server.closeIdleConnections(), Duration.toMillis(nodeLimits.closeIdleEvery))
    const closingAll = setTimeout(() => server.closeAllConnections(), Duration.toMillis(nodeLimits.closeAllAfter))
    return close((error) => {
      clearInterval(closing)
      clearTimeout(closingAll)
      done?.(error)
    })
  }
  return server
}

/** The servers that were told to stop. */
const stopping = new WeakSet<Server>()

/** The answers of a stopping server say `connection: close`, so that the client's next request goes to another node. */
class ClosingResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  override writeHead(...given: ReadonlyArray<unknown>): this {
    const server = (this.req.socket as { readonly server?: Server }).server
    if (server !== undefined && stopping.has(server)) this.shouldKeepAlive = false
    // `writeHead` has several forms, and this override changes none of them.
    return super.writeHead(...(given as Parameters<ServerResponse["writeHead"]>))
  }
}

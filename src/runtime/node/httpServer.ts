/**
 * Node's HTTP server with the limits that Node leaves open. It answers its own errors with the envelope too, because a
 * request that the parser refuses never reaches a route.
 */
import * as Duration from "effect/Duration"
import { createServer, ServerResponse, STATUS_CODES, type IncomingMessage, type Server } from "node:http"
import type { Duplex } from "node:stream"
import type { ErrorCode } from "../../schema/problems.ts"
import { errorCatalogue } from "../../schema/problems.ts"
import { failureEnvelope, statusOf } from "../../http/server/problems.ts"
import { nodeLimits } from "./limits.ts"

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

const answerParserError = (error: Error & { readonly code?: string }, socket: Duplex, requestId: string): void => {
  // The other side has gone, or an answer is already on its way, so nobody can be told.
  // oxlint-disable-next-line no-underscore-dangle -- the name is Node's
  const isAnswering = (socket as Answering)._httpMessage?.headersSent === true
  if (error.code === "ECONNRESET" || !socket.writable || isAnswering) {
    socket.destroy()
    return
  }
  const code = codeOf(error)
  answerOnSocket(
    socket,
    requestId,
    code,
    code === "VALIDATION_FAILED" ? "The request is no well-formed HTTP" : undefined
  )
}

/** Answers what no route can answer, and closes the connection. */
const answerOnSocket = (
  socket: Duplex,
  requestId: string,
  code: ErrorCode,
  message: string = errorCatalogue[code].meaning
): void => {
  const body = failureEnvelope([{ field: "request", code, message }])
  const status = statusOf(code)
  const allow = code === "METHOD_NOT_ALLOWED" ? "allow: \r\n" : ""
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\ncontent-type: application/json\r\nrequest-id: ${requestId}\r\n` +
      `cache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n${allow}` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

/** Makes the server; it does not listen yet. */
export const makeServer = (newRequestId: () => string): Server => {
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
  server.maxConnections = nodeLimits.mostConnections
  server.on("clientError", (error, socket) => answerParserError(error, socket, newRequestId()))
  // A server may ignore an expectation that it does not know (RFC 9110, 10.1.1). Node would refuse it without the
  // envelope.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("connect", (_request, socket) => answerOnSocket(socket, newRequestId(), "METHOD_NOT_ALLOWED"))
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

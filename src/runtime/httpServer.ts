/**
 * Node's HTTP server with the limits that Node leaves open, answering its own errors with the envelope too: a request
 * the parser refuses never reaches a route.
 */
import { createServer, STATUS_CODES, type Server } from "node:http"
import type { Duplex } from "node:stream"
import type { ErrorCode } from "../schema/errorCatalogue.ts"
import { errorCatalogue } from "../schema/errorCatalogue.ts"
import { failureEnvelope, statusOf } from "../http/problems.ts"

/** Bytes of request line and headers together. */
const maxHeaderSize = 16 * 1024
/** Milliseconds until the headers are in, and until the whole request is; a body of one byte a second ends here. */
const headersTimeout = 10_000
const requestTimeout = 30_000
/** Milliseconds an idle connection is kept; longer than the usual load balancer's minute, so that it closes first. */
const keepAliveTimeout = 65_000
const connectionsCheckingInterval = 1000
/** Connections at once: each may hold a body in memory. */
const maxConnections = 10_000

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

const answerParserError = (error: Error & { readonly code?: string }, socket: Duplex, requestId: string): void => {
  // The other side has gone, or an answer is already under way: there is nobody to tell.
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const code = codeOf(error)
  const message = code === "VALIDATION_FAILED" ? "The request is no well-formed HTTP" : errorCatalogue[code].meaning
  const body = failureEnvelope([{ field: "request", code, message }])
  const status = statusOf(code)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\ncontent-type: application/json\r\nrequest-id: ${requestId}\r\n` +
      `cache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

/** The server, not yet listening. */
export const makeServer = (newRequestId: () => string): Server => {
  const server = createServer({
    maxHeaderSize,
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval
  })
  server.maxConnections = maxConnections
  server.on("clientError", (error, socket) => answerParserError(error, socket, newRequestId()))
  return server
}

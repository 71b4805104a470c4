/**
 * The request of Node's own server behind a request of the router: its headers as they came, its socket, and its body unread. The platform's
 * type allows HTTP/2 as well, which this service does not speak.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"

export const incomingMessage = (request: HttpServerRequest.HttpServerRequest): IncomingMessage =>
  NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage

/** The same, for whoever reads the body now. A caller who waits for leave to send it (`Expect: 100-continue`) gets leave. */
export const messageToRead = (request: HttpServerRequest.HttpServerRequest): IncomingMessage => {
  const source = incomingMessage(request)
  if (source.headers.expect !== undefined) NodeHttpServerRequest.toServerResponse(request).writeContinue()
  return source
}

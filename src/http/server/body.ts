/**
 * Request bodies, read within limits: type and size are judged before a byte is kept (decision R13), and JSON is parsed
 * strictly. What the fields must be is the schema's business.
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { parseStrictJson } from "../../schema/strictJson.ts"
import { orProblems, problem, unavailable, type Problem } from "./problems.ts"

/** R13: the body of a request in JSON, and of one with a photo: the photo's 5 MB, the JSON part and the wrapping. */
export const largestJsonBytes = 1024 * 1024
export const largestMultipartBytes = 6 * 1024 * 1024

/** Content types without their parameters, lower case; a JSON body may say utf-8 and no other character set. */
export const mediaType = (request: HttpServerRequest.HttpServerRequest): string | null => {
  const [type, ...parameters] = (request.headers["content-type"] ?? "").toLowerCase().split(";")
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith("charset="))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  return isUtf8 ? (type?.trim() ?? "") : null
}

const tooLarge = (limit: number): Problem =>
  problem("PAYLOAD_TOO_LARGE", "body", `The body may have ${limit} bytes at most`)

/** The size it announces, judged before anything else looks at the request. */
export const refuseAnnouncedSize = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<void, Problem> =>
  Number(request.headers["content-length"] ?? 0) > limit ? Effect.fail(tooLarge(limit)) : Effect.void

/** What bodies can be sent as, with the size of each kind. */
const largestBytes: Readonly<Record<string, number>> = {
  "application/json": largestJsonBytes,
  "multipart/form-data": largestMultipartBytes
}

/** What is said of a body of any other type, by the types that an endpoint takes. */
const refusedTypes: Readonly<Record<string, string>> = {
  "application/json": "Send the body as application/json in UTF-8",
  "multipart/form-data": "Send the photo as multipart/form-data",
  "application/json multipart/form-data": "Send the start as application/json in UTF-8, or as multipart/form-data"
}

/** Judges type and announced size of a body that may be of these types; an endpoint without a body judges nothing. */
export const judgeTransport = (
  types: ReadonlyArray<string>
): ((request: HttpServerRequest.HttpServerRequest) => Effect.Effect<void, Problem>) => {
  if (types.length === 0) return () => Effect.void
  const refused = problem("UNSUPPORTED_MEDIA_TYPE", "body", refusedTypes[types.toSorted().join(" ")])
  return (request) => {
    const type = mediaType(request)
    return type === null || !types.includes(type)
      ? Effect.fail(refused)
      : refuseAnnouncedSize(request, largestBytes[type] ?? 0)
  }
}

export const refuseOtherThanJson = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void, Problem> =>
  mediaType(request) === "application/json"
    ? Effect.void
    : Effect.fail(problem("UNSUPPORTED_MEDIA_TYPE", "body", "Send the body as application/json in UTF-8"))

/**
 * The bytes of the body. Read from Node's request itself, for this is on the way of every start: Effect's reader waits
 * for the stream to close and costs several times as much. A client that stops sending is cut by the server's own time
 * limit; what is left unread after a refusal is drained by the server.
 */
export const readBytes = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<Uint8Array, Problem> =>
  Effect.callback((resume) => {
    const source = NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
    if (source.headers.expect !== undefined) NodeHttpServerRequest.toServerResponse(request).writeContinue()
    const chunks: Array<Buffer> = []
    let length = 0
    const stop = () => {
      source.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose)
    }
    const settle = (read: Effect.Effect<Uint8Array, Problem>) => {
      stop()
      resume(read)
    }
    const onData = (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) settle(Effect.fail(tooLarge(limit)))
      else chunks.push(chunk)
    }
    const onEnd = () =>
      settle(Effect.succeed(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
    const onClose = () => settle(Effect.fail(unavailable()))
    source.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose)
    return Effect.sync(stop)
  })

export const readJson = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, Problem> =>
  Effect.flatMap(readBytes(request, largestJsonBytes), (bytes) => orProblems(parseStrictJson(bytes)))

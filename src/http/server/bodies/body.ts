/**
 * Request bodies, read within limits: type and size are judged before a byte is kept (decision R13), and JSON is parsed
 * strictly. What the fields must be is said by the schemas.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { messageToRead } from "../incomingMessage.ts"
import { jsonBodyOfPieces, type JsonBody } from "./jsonBody.ts"
import { httpLimits } from "../limits.ts"
import { joined, makePieces } from "./pieces.ts"
import { problem, unavailable, type Problem } from "../answers/problems.ts"
import { withRoom, type HasRoom } from "./roomForBody.ts"

/** The content type of a request, as `mediaTypeIn` reads it. */
export const mediaType = (request: HttpServerRequest.HttpServerRequest): string | null =>
  mediaTypeIn(request.headers["content-type"] ?? "")

/** A content type without its parameters, in lower case. Null when it names a character set other than UTF-8. */
export const mediaTypeIn = (contentType: string): string | null => {
  const [type, ...parameters] = contentType.toLowerCase().split(";")
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith("charset="))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  return isUtf8 ? (type?.trim() ?? "") : null
}

const tooLarge = (limit: number): Problem =>
  problem("PAYLOAD_TOO_LARGE", "body", `The body may have ${limit} bytes at most`)

/** Refuses a body for the size that it announces, before anything else looks at the request. */
export const refuseAnnouncedSize = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<void, Problem> =>
  Number(request.headers["content-length"] ?? 0) > limit ? Effect.fail(tooLarge(limit)) : Effect.void

/** A compressed body would be read as if it were none. `identity` means that the body is as it is (RFC 9110, 8.4). */
const isEncoded = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  !/^(?:\s*identity\s*)?$/i.test(headers["content-encoding"] ?? "")

const encoded = problem("UNSUPPORTED_MEDIA_TYPE", "body", "Send the body as it is, without Content-Encoding")

/** Whether a body was sent, as its headers say. */
export const hasBody = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined

/** The refusal of a body of another type, by the types that an endpoint takes. */
const refusedTypes: Readonly<Record<string, string>> = {
  "application/json": "Send the body as application/json in UTF-8",
  "multipart/form-data": "Send the photo as multipart/form-data",
  "application/json multipart/form-data": "Send the start as application/json in UTF-8, or as multipart/form-data"
}

/**
 * Judges the type and the announced size of a body that may have these types. An endpoint without a body judges nothing.
 * `largestJson`: an endpoint whose JSON bodies have a largest size of their own.
 */
export const judgeTransport = (
  types: ReadonlyArray<string>,
  largestJson: number = httpLimits.largestJsonBytes
): ((request: HttpServerRequest.HttpServerRequest) => Effect.Effect<void, Problem>) => {
  if (types.length === 0) return () => Effect.void
  const largestBytes: Readonly<Record<string, number>> = {
    "application/json": largestJson,
    "multipart/form-data": httpLimits.largestMultipartBytes
  }
  const refused = problem("UNSUPPORTED_MEDIA_TYPE", "body", refusedTypes[types.toSorted().join(" ")])
  return (request) => {
    if (isEncoded(request)) return Effect.fail(encoded)
    const type = mediaType(request)
    return type === null || !types.includes(type)
      ? Effect.fail(refused)
      : refuseAnnouncedSize(request, largestBytes[type] ?? 0)
  }
}

/**
 * The bytes of the body. They are read from Node's request itself, because every start comes this way: Effect's reader
 * waits for the stream to close and costs several times as much. The server's own time limit cuts a client that stops
 * sending. What is left unread after a refusal is read by `unreadBody.ts`.
 */
export const readBytes = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<Uint8Array, Problem> => Effect.map(readPieces(request, limit), joined)

/** The same in the pieces in which it came: to put a large body together keeps the event loop for as long as to hash it. */
const readPieces = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<ReadonlyArray<Buffer>, Problem> =>
  withRoom(request, limit, (hasRoom, noRoom) => readWhile(request, limit, hasRoom, noRoom))

const readWhile = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number,
  hasRoom: HasRoom,
  noRoom: Problem
): Effect.Effect<ReadonlyArray<Buffer>, Problem> =>
  Effect.callback((resume) => {
    const source = messageToRead(request)
    const pieces = makePieces()
    let length = 0
    const stop = () => {
      source.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose)
    }
    const settle = (read: Effect.Effect<ReadonlyArray<Buffer>, Problem>) => {
      stop()
      resume(read)
    }
    const onData = (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) settle(Effect.fail(tooLarge(limit)))
      else if (!hasRoom(length)) settle(Effect.fail(noRoom))
      else pieces.add(chunk)
    }
    const onEnd = () => settle(Effect.succeed(pieces.all()))
    const onClose = () => settle(Effect.fail(unavailable()))
    source.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose)
    return Effect.sync(stop)
  })

export const readJson = (
  request: HttpServerRequest.HttpServerRequest,
  largestJson: number = httpLimits.largestJsonBytes
): Effect.Effect<JsonBody, Problem> => Effect.flatMap(readPieces(request, largestJson), jsonBodyOfPieces)

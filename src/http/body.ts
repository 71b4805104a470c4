/**
 * Request bodies, read within limits: type and size are judged before a byte is kept (decision R13), and JSON is parsed
 * strictly. What the fields must be is the schema's business.
 */
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerError, type HttpServerRequest } from "effect/http"
import { parseStrictJson } from "../schema/strictJson.ts"
import { orProblems, problem, unavailable, type Problem } from "./problems.ts"

/** R13. */
export const largestJsonBytes = 1024 * 1024

/** Content types without their parameters, lower case; a JSON body may say utf-8 and no other character set. */
export const mediaType = (request: HttpServerRequest.HttpServerRequest): string | null => {
  const [type, ...parameters] = (request.headers["content-type"] ?? "").toLowerCase().split(";")
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith("charset="))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  return isUtf8 ? (type?.trim() ?? "") : null
}

const tooLarge = (limit: number): Problem => problem("PAYLOAD_TOO_LARGE", "body", `The body may have ${limit} bytes at most`)

/** The size it announces, judged before anything else looks at the request. */
export const refuseAnnouncedSize = (request: HttpServerRequest.HttpServerRequest, limit: number): Effect.Effect<void, Problem> =>
  Number(request.headers["content-length"] ?? 0) > limit ? Effect.fail(tooLarge(limit)) : Effect.void

export const refuseOtherThanJson = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void, Problem> =>
  mediaType(request) === "application/json"
    ? Effect.void
    : Effect.fail(problem("UNSUPPORTED_MEDIA_TYPE", "body", "Send the body as application/json in UTF-8"))

/** The bytes of the body; a client that stops sending is cut by the server's own time limit. */
export const readBytes = (request: HttpServerRequest.HttpServerRequest, limit: number): Effect.Effect<Uint8Array, Problem> =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit)),
    Effect.map((buffer) => new Uint8Array(buffer)),
    Effect.mapError((error) => (isOverLimit(error) ? tooLarge(limit) : unavailable()))
  )

const isOverLimit = ({ reason }: HttpServerError.HttpServerError): boolean =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"

export const readJson = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, Problem> =>
  Effect.flatMap(readBytes(request, largestJsonBytes), (bytes) => orProblems(parseStrictJson(bytes)))

/**
 * A start, or a new photo, that is sent as multipart/form-data: one JSON part and one photo, both kept in memory. The photo
 * never touches a disk before it is sealed. The names, the number and the sizes of the parts are judged while they arrive.
 * What the parts must hold is judged elsewhere.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Part } from "formidable"
import type { IncomingMessage } from "node:http"
import { digestOfPieces } from "../../actors/journey/actor/photoDigest.ts"
import { largestPhotoBytes } from "../../schema/start/rules.ts"
import { formParser, type FormParser } from "./formParser.ts"
import { httpLimits } from "./limits.ts"
import { makePieces, makePiecesOfFile, type Pieces } from "./pieces.ts"
import { problem, type Problem } from "./problems.ts"
import { withRoom, type HasRoom } from "./roomForBody.ts"

const { largestJsonPartBytes, largestMultipartBytes, longestBoundary, longestNameShown } = httpLimits

export interface MultipartBody {
  readonly json: Uint8Array | null
  readonly photo: Uint8Array | null
}

const refusePart = (field: string, message: string) => problem("VALIDATION_FAILED", field, message)

/** The name of a part as an answer may show it: short, and as plain text. */
const shown = (name: string | null): string => JSON.stringify((name ?? "").slice(0, longestNameShown))

const hasBoundary = ({ headers }: IncomingMessage): boolean => {
  const found = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(headers["content-type"] ?? "")
  const boundary = found?.[1] ?? found?.[2]
  return boundary !== undefined && boundary.length <= longestBoundary
}

type Form = ReturnType<FormParser["formidable"]>

interface Expected {
  readonly limit: number
  readonly judge: (part: Part) => Problem | null
  /** What keeps the bytes of the part. */
  readonly keep: (source: IncomingMessage) => Pieces
}

/** The photo is hashed piece by piece, so that its end costs no more than its other pieces. */
const keepPhoto = (source: IncomingMessage): Pieces => {
  const pieces = makePiecesOfFile(source, largestPhoto)
  const digest = digestOfPieces()
  return {
    add: (piece) => {
      digest.add(piece)
      pieces.add(piece)
    },
    whole: () => {
      const photo = pieces.whole()
      digest.end(photo)
      return photo
    }
  }
}

/** One byte over the limit is kept: the rule about the size of a photo then finds the photo too large and says so. */
const largestPhoto = largestPhotoBytes + 1

/** Reads the two parts; a missing part is null. The JSON part is `journey` on a start and `details` on a replacement. */
export const readMultipart = (
  request: HttpServerRequest.HttpServerRequest,
  jsonPart: "journey" | "details"
): Effect.Effect<MultipartBody, Problem> => {
  const expected = new Map<string, Expected>([
    [jsonPart, { limit: largestJsonPartBytes, judge: (part) => judgeJsonPart(jsonPart, part), keep: makePieces }],
    ["customerFace", { limit: largestPhoto, judge: judgePhotoPart, keep: keepPhoto }]
  ])
  return withRoom(request, largestMultipartBytes, (hasRoom, noRoom) =>
    Effect.flatMap(formParser, (loaded) => readParts(loaded, request, jsonPart, expected, hasRoom, noRoom))
  )
}

const readParts = (
  { formidable, multipart }: FormParser,
  request: HttpServerRequest.HttpServerRequest,
  jsonPart: string,
  expected: ReadonlyMap<string, Expected>,
  hasRoom: HasRoom,
  noRoom: Problem
): Effect.Effect<MultipartBody, Problem> =>
  Effect.callback((resume) => {
    const source = NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
    if (!hasBoundary(source)) {
      resume(Effect.fail(refusePart("body", "The content type must name a boundary of 1 to 70 characters")))
      return
    }
    if (source.headers.expect !== undefined) NodeHttpServerRequest.toServerResponse(request).writeContinue()
    const parts = new Map<string, Uint8Array>()
    // Formidable's other parsers are chosen by words anywhere in the content type, even by the letters of a boundary.
    const form = formidable({
      enabledPlugins: [multipart],
      maxFields: httpLimits.mostParts,
      maxFiles: httpLimits.mostParts,
      allowEmptyFiles: true,
      minFileSize: 0
    })
    const refuse = (refusal: Problem) => {
      resume(Effect.fail(refusal))
      stopReading(source, form)
    }
    form.on("progress", (received) => {
      if (received > largestMultipartBytes) refuse(bodyTooLarge)
      else if (!hasRoom(received)) refuse(noRoom)
    })
    form.onPart = (part) => {
      const name = part.name ?? ""
      const known = expected.get(name)
      const refusal = judge(part, known, parts)
      if (known === undefined || refusal !== null) {
        refuse(refusal ?? bodyTooLarge)
        return
      }
      const pieces = known.keep(source)
      let kept = 0
      parts.set(name, new Uint8Array())
      part.on("data", (chunk: Buffer) => {
        const room = known.limit - kept
        // A slice of no bytes would keep its whole chunk in memory.
        if (room > 0) pieces.add(chunk.subarray(0, room))
        kept += Math.min(room, chunk.length)
        if (name === jsonPart && room < chunk.length) refuse(jsonPartTooLarge(jsonPart))
      })
      part.on("end", () => parts.set(name, pieces.whole()))
    }
    const accept = () =>
      resume(Effect.succeed({ json: parts.get(jsonPart) ?? null, photo: parts.get("customerFace") ?? null }))
    form.parse(source).then(
      // Formidable ends at the last boundary. The bytes behind that boundary count as well, so the end of the body is awaited.
      () => (source.readableEnded ? accept() : source.once("end", accept)),
      () => resume(Effect.fail(refusePart("body", "The body is no well-formed multipart/form-data")))
    )
    return Effect.sync(() => stopReading(source, form))
  })

/** Nobody wants what still comes, but formidable would go on reading. */
const stopReading = (source: IncomingMessage, form: Form) => {
  source.removeAllListeners("data")
  form.emit("error", new Error("refused"))
}

const bodyTooLarge = problem("PAYLOAD_TOO_LARGE", "body", `The body may have ${largestMultipartBytes} bytes at most`)
const jsonPartTooLarge = (name: string) =>
  problem("PAYLOAD_TOO_LARGE", name, `The part may have ${largestJsonPartBytes} bytes at most`)

const judge = (part: Part, known: Expected | undefined, seen: ReadonlyMap<string, unknown>): Problem | null => {
  if (known === undefined) return refusePart("body", `The part ${shown(part.name)} is not used here`)
  return seen.has(part.name ?? "") ? refusePart(part.name ?? "body", "The part may come once") : known.judge(part)
}

/** A file name says nothing: programs that send JSON from a file, and FormData with a Blob, give the part one. */
const judgeJsonPart = (name: string, part: Part): Problem | null => {
  const [type] = (part.mimetype ?? "").toLowerCase().split(";")
  return type?.trim() === "application/json"
    ? null
    : refusePart(name, "The part must be JSON with content type application/json")
}

/** What formidable's parts have beside what formidable's types say. */
interface SentPart extends Part {
  readonly headers: Readonly<Record<string, string>>
  readonly transferEncoding: string
}

/**
 * Formidable ignores file names that it finds odd, so the header itself says whether the part is a file. Formidable would
 * also decode base64, which RFC 7578 has abolished: base64 text is no image.
 */
const judgePhotoPart = (part: Part): Problem | null => {
  const { headers, transferEncoding } = part as SentPart
  if (transferEncoding === "base64") return problem("UNSUPPORTED_IMAGE_TYPE", "customerFace")
  return /;\s*filename\*?=/i.test(headers["content-disposition"] ?? "")
    ? null
    : problem("CUSTOMER_FACE_REQUIRED", "customerFace", "Send customerFace as a file")
}

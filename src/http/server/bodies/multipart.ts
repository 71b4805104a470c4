/**
 * A start, or a new photo, that is sent as multipart/form-data: one JSON part and one photo, both kept in memory. The photo
 * never touches a disk before it is sealed. The names, the number and the sizes of the parts are judged while they arrive.
 * What the parts must hold is judged elsewhere.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { incomingMessage, messageToRead } from "../incomingMessage.ts"
import { FaceCheck } from "../../../actors/faces/FaceCheck.ts"
import { digestOfPieces } from "../../../actors/journey/actor/start/photoDigest.ts"
import { currentMeter } from "../../../actors/kernel/Meter.ts"
import { quoteName } from "../../../schema/decoding/quoteName.ts"
import { largestPhotoBytes } from "../../../schema/start/rules.ts"
import { mediaTypeIn } from "./body.ts"
import { readFormParts, type FormPart } from "./formParts.ts"
import { httpLimits } from "../limits.ts"
import { makePieces, makePiecesOfFile, type Pieces } from "./pieces.ts"
import { problem, unavailable, type Problem } from "../answers/problems.ts"
import { isLargeBody, withRoom, type HasRoom } from "./roomForBody.ts"

const { largestJsonPartBytes, largestMultipartBytes, longestBoundary } = httpLimits

export interface MultipartBody {
  readonly json: Uint8Array | null
  readonly photo: Uint8Array | null
}

const refusePart = (field: string, message: string) => problem("VALIDATION_FAILED", field, message)

/** The name of a part as an answer may show it. */
const shown = (name: string): string => `"${quoteName(name)}"`

const hasBoundary = ({ headers }: IncomingMessage): boolean => {
  const found = /;\s*boundary=(?:"([^"]+)"|([^;\s"]+))\s*(?:;|$)/i.exec(headers["content-type"] ?? "")
  const boundary = found?.[1] ?? found?.[2]
  return boundary !== undefined && boundary.length <= longestBoundary
}

interface Expected {
  readonly limit: number
  readonly judge: (part: FormPart) => Problem | null
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

/**
 * A photo that would find no place among those that wait is refused before it is read. Who repeats at once what was refused would
 * otherwise have a megabyte read and hashed for each refusal, and others would wait meanwhile.
 */
const placeForPhoto: Effect.Effect<void, Problem, FaceCheck> = Effect.gen(function* () {
  const { hasRoom } = yield* FaceCheck
  if (yield* hasRoom) return
  const meter = yield* currentMeter
  meter.count("journeys_bodies_refused_total", { reason: "NO_PLACE_FOR_PHOTO" })
  return yield* unavailable()
})

/** Reads the two parts; a missing part is null. The JSON part is `journey` on a start and `details` on a replacement. */
export const readMultipart = (
  request: HttpServerRequest.HttpServerRequest,
  jsonPart: "journey" | "details"
): Effect.Effect<MultipartBody, Problem, FaceCheck> => {
  const expected = new Map<string, Expected>([
    [jsonPart, { limit: largestJsonPartBytes, judge: (part) => judgeJsonPart(jsonPart, part), keep: makePieces }],
    ["customerFace", { limit: largestPhoto, judge: judgePhotoPart, keep: keepPhoto }]
  ])
  const reading = withRoom(request, largestMultipartBytes, (hasRoom, noRoom) =>
    readParts(request, jsonPart, expected, hasRoom, noRoom)
  )
  return isLargeBody(request) ? Effect.andThen(placeForPhoto, reading) : reading
}

const malformed = refusePart("body", "The body is no well-formed multipart/form-data")

const readParts = (
  request: HttpServerRequest.HttpServerRequest,
  jsonPart: string,
  expected: ReadonlyMap<string, Expected>,
  hasRoom: HasRoom,
  noRoom: Problem
): Effect.Effect<MultipartBody, Problem> =>
  Effect.suspend(() => {
    if (!hasBoundary(incomingMessage(request))) {
      return Effect.fail(refusePart("body", "The content type must name a boundary of 1 to 70 characters"))
    }
    const source = messageToRead(request)
    const parts = new Map<string, Uint8Array>()
    return readFormParts<MultipartBody>(source, {
      judgeSize: (received) => {
        if (received > largestMultipartBytes) return Effect.fail(bodyTooLarge)
        return hasRoom(received) ? null : Effect.fail(noRoom)
      },
      begin: (part) => {
        const { name } = part
        const known = expected.get(name)
        const refusal = judge(part, known, parts)
        if (known === undefined || refusal !== null) return Effect.fail(refusal ?? bodyTooLarge)
        const pieces = known.keep(source)
        let kept = 0
        parts.set(name, new Uint8Array())
        return {
          add: (piece) => {
            const room = known.limit - kept
            // A slice of no bytes would keep its whole piece in memory.
            if (room > 0) pieces.add(piece.subarray(0, room))
            kept += Math.min(room, piece.length)
            return name === jsonPart && room < piece.length ? Effect.fail(jsonPartTooLarge(jsonPart)) : null
          },
          end: () => parts.set(name, pieces.whole())
        }
      },
      done: () => Effect.succeed({ json: parts.get(jsonPart) ?? null, photo: parts.get("customerFace") ?? null }),
      malformed
    })
  })

const bodyTooLarge = problem("PAYLOAD_TOO_LARGE", "body", `The body may have ${largestMultipartBytes} bytes at most`)
const jsonPartTooLarge = (name: string) =>
  problem("PAYLOAD_TOO_LARGE", name, `The part may have ${largestJsonPartBytes} bytes at most`)

const judge = (part: FormPart, known: Expected | undefined, seen: ReadonlyMap<string, unknown>): Problem | null => {
  if (known === undefined) return refusePart("body", `The part ${shown(part.name)} is not used here`)
  return seen.has(part.name) ? refusePart(part.name, "The part may come once") : known.judge(part)
}

/** A file name says nothing: programs that send JSON from a file, and FormData with a Blob, give the part one. */
const judgeJsonPart = (name: string, { type }: FormPart): Problem | null =>
  mediaTypeIn(type) === "application/json"
    ? null
    : refusePart(name, "The part must be JSON in UTF-8 with content type application/json")

/** RFC 7578 has abolished base64 here: base64 text is no image. */
const judgePhotoPart = ({ isFile, transferEncoding }: FormPart): Problem | null => {
  if (transferEncoding === "base64") return problem("UNSUPPORTED_IMAGE_TYPE", "customerFace")
  return isFile ? null : problem("CUSTOMER_FACE_REQUIRED", "customerFace", "Send customerFace as a file")
}

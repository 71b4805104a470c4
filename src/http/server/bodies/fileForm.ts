/**
 * Reads a form with files into memory: nothing that somebody sends touches a disk before it is sealed. A page puts the
 * fields before the files, so a form that is not ours is refused before its files are read. Only who is signed in sends
 * such forms, so a form may come slowly. What the files must be is the page's business.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { messageToRead } from "../incomingMessage.ts"
import { mediaType, refuseAnnouncedSize } from "./body.ts"
import { readFormParts } from "./formParts.ts"
import { makePieces, makePiecesOfFile } from "./pieces.ts"
import { problem, type Problem } from "../answers/problems.ts"
import { withRoom } from "./roomForBody.ts"
import { mayComeSlowly } from "../admission/slowUploads.ts"
import { httpLimits } from "../limits.ts"

export interface FileForm {
  readonly token: string | null
  /** Its other fields by their names. */
  readonly fields: ReadonlyMap<string, string>
  /** The bytes of each file by the name of its field. A file that is too large keeps one byte more than its limit. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** The files that a form may have, and the bytes of each. */
type FileLimits = Readonly<Record<string, number>>

type Request = HttpServerRequest.HttpServerRequest
type IsOurs = (token: string | null) => boolean

export const readFileForm = (
  request: Request,
  limits: FileLimits,
  isOurs: IsOurs,
  /** The names of the fields that the form may have beside its token. */
  others: ReadonlyArray<string> = []
): Effect.Effect<FileForm, Problem> => {
  if (mediaType(request) !== "multipart/form-data") {
    return Effect.fail(problem("UNSUPPORTED_MEDIA_TYPE", "body", "Send the form as a browser does"))
  }
  const largest = largestForm(limits)
  return Effect.andThen(
    Effect.andThen(refuseAnnouncedSize(request, largest), mayComeSlowly(request)),
    withRoom(request, mostKept(limits), (hasRoom, noRoom) => {
      const refusalOf = (received: number) => (received > largest ? tooLarge : hasRoom(received) ? null : noRoom)
      return readParts(request, limits, refusalOf, isOurs, others)
    })
  )
}

/** Of each file one byte more than its limit, and everything around the files. */
const mostKept = (limits: FileLimits): number =>
  Object.values(limits).reduce((sum, limit) => sum + limit + 1, 0) + httpLimits.largestWrappingBytes

/** A file over its limit is read to the end, so that the page can say which file is too large: forms may be larger, too. */
const largestForm = (limits: FileLimits): number =>
  httpLimits.oversizedForms * Object.values(limits).reduce((sum, limit) => sum + limit, 0) +
  httpLimits.largestWrappingBytes

/** `refusalOf` judges the form by the bytes that have come. */
const readParts = (
  request: Request,
  limits: FileLimits,
  refusalOf: (received: number) => Problem | null,
  isOurs: IsOurs,
  others: ReadonlyArray<string>
) =>
  Effect.suspend(() => {
    const source = messageToRead(request)
    const names = Object.keys(limits)
    const files = new Map<string, Uint8Array>()
    const fields = new Map<string, string>()
    let token: string | null = null
    return readFormParts<FileForm>(source, {
      judgeSize: (received) => {
        const refusal = refusalOf(received)
        return refusal === null ? null : Effect.fail(refusal)
      },
      begin: ({ name }) => {
        const isToken = name === "token"
        const isOther = others.includes(name)
        const limit =
          isToken || isOther ? httpLimits.largestFieldBytes : names.includes(name) ? limits[name] : undefined
        const isRepeated = isToken ? token !== null : files.has(name) || fields.has(name)
        if (limit === undefined || isRepeated) return Effect.fail(malformed)
        if (!isToken && !isOurs(token)) return Effect.succeed({ token: null, fields: new Map(), files: new Map() })
        const pieces = isToken || isOther ? makePieces() : makePiecesOfFile(source, limit + 1)
        let kept = 0
        return {
          add: (piece) => {
            const room = limit + 1 - kept
            if (room > 0) pieces.add(piece.subarray(0, room))
            kept += Math.min(Math.max(room, 0), piece.length)
            return null
          },
          end: () => {
            const bytes = pieces.whole()
            if (isToken) token = bytes.toString()
            else if (isOther) fields.set(name, bytes.toString())
            else files.set(name, bytes)
          }
        }
      },
      done: () => Effect.succeed({ token, fields, files }),
      malformed
    })
  })

const malformed = problem("VALIDATION_FAILED", "body", "The body is no well-formed form")
const tooLarge = problem("PAYLOAD_TOO_LARGE", "body")

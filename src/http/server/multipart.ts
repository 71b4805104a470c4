/**
 * A start, or a new photo, sent as multipart/form-data: one JSON part and one photo, both kept in memory. The photo
 * never touches a disk before it is sealed. Names, numbers and sizes of parts are judged while they arrive.
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { formidable, multipart, type Part } from "formidable"
import type { IncomingMessage } from "node:http"
import { largestPhotoBytes } from "../../schema/start/rules.ts"
import { largestMultipartBytes } from "./body.ts"
import { problem, type Problem } from "./problems.ts"

const largestJsonPartBytes = 512 * 1024

export interface MultipartBody {
  readonly json: Uint8Array | null
  readonly photo: Uint8Array | null
}

const refusePart = (field: string, message: string) => problem("VALIDATION_FAILED", field, message)

/** A part's name as it may be shown: short, and without anything that is not plain text. */
const shown = (name: string | null): string => JSON.stringify((name ?? "").slice(0, 60))

/** RFC 2046, 5.1.1. */
const longestBoundary = 70

const hasBoundary = ({ headers }: IncomingMessage): boolean => {
  const found = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(headers["content-type"] ?? "")
  const boundary = found?.[1] ?? found?.[2]
  return boundary !== undefined && boundary.length <= longestBoundary
}

interface Expected {
  readonly limit: number
  readonly judge: (part: Part) => Problem | null
}

/** Reads the two parts; a missing one is null. `jsonPart` is `journey` on a start and `details` on a replacement. */
export const readMultipart = (
  request: HttpServerRequest.HttpServerRequest,
  jsonPart: "journey" | "details"
): Effect.Effect<MultipartBody, Problem> => {
  const expected = new Map<string, Expected>([
    [jsonPart, { limit: largestJsonPartBytes, judge: (part) => judgeJsonPart(jsonPart, part) }],
    // One byte over the limit is kept, so that the rule about the photo's size can speak for itself.
    ["customerFace", { limit: largestPhotoBytes + 1, judge: judgePhotoPart }]
  ])
  return Effect.callback<MultipartBody, Problem>((resume) => {
    const source = NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
    if (!hasBoundary(source)) {
      resume(Effect.fail(refusePart("body", "The content type must name a boundary of 1 to 70 characters")))
      return
    }
    if (source.headers.expect !== undefined) NodeHttpServerRequest.toServerResponse(request).writeContinue()
    const parts = new Map<string, Uint8Array>()
    // Its other parsers go by words anywhere in the content type, a boundary's letters included.
    const form = formidable({
      enabledPlugins: [multipart],
      maxFields: 2,
      maxFiles: 2,
      allowEmptyFiles: true,
      minFileSize: 0
    })
    // What comes after a refusal is nobody's: formidable would go on reading it.
    const refuse = (refusal: Problem) => {
      source.removeAllListeners("data")
      resume(Effect.fail(refusal))
      form.emit("error", new Error("refused"))
    }
    form.on("progress", (received) => {
      if (received > largestMultipartBytes) refuse(bodyTooLarge)
    })
    form.onPart = (part) => {
      const name = part.name ?? ""
      const known = expected.get(name)
      const refusal = judge(part, known, parts)
      if (known === undefined || refusal !== null) {
        refuse(refusal ?? bodyTooLarge)
        return
      }
      const chunks: Array<Buffer> = []
      let kept = 0
      parts.set(name, new Uint8Array())
      part.on("data", (chunk: Buffer) => {
        const room = known.limit - kept
        // An empty piece would keep its whole chunk in memory.
        if (room > 0) chunks.push(chunk.subarray(0, room))
        kept += Math.min(room, chunk.length)
        if (name === jsonPart && room < chunk.length) refuse(jsonPartTooLarge(jsonPart))
      })
      part.on("end", () => parts.set(name, Buffer.concat(chunks)))
    }
    const accept = () =>
      resume(Effect.succeed({ json: parts.get(jsonPart) ?? null, photo: parts.get("customerFace") ?? null }))
    form.parse(source).then(
      // Formidable is done at the last boundary; what follows it counts, too.
      () => (source.readableEnded ? accept() : source.once("end", accept)),
      () => resume(Effect.fail(refusePart("body", "The body is no well-formed multipart/form-data")))
    )
  })
}

const bodyTooLarge = problem("PAYLOAD_TOO_LARGE", "body", `The body may have ${largestMultipartBytes} bytes at most`)
const jsonPartTooLarge = (name: string) =>
  problem("PAYLOAD_TOO_LARGE", name, `The part may have ${largestJsonPartBytes} bytes at most`)

const judge = (part: Part, known: Expected | undefined, seen: ReadonlyMap<string, unknown>): Problem | null => {
  if (known === undefined) return refusePart("body", `The part ${shown(part.name)} is not used here`)
  return seen.has(part.name ?? "") ? refusePart(part.name ?? "body", "The part may come once") : known.judge(part)
}

/** FormData can give a part its content type only as a Blob, and then names it so: that is no file. */
const isFile = (part: Part): boolean => part.originalFilename !== null && part.originalFilename !== "blob"

const judgeJsonPart = (name: string, part: Part): Problem | null => {
  const [type] = (part.mimetype ?? "").toLowerCase().split(";")
  return type?.trim() === "application/json" && !isFile(part)
    ? null
    : refusePart(name, "The part must be JSON with content type application/json, and no file")
}

/** What formidable's parts carry beside what its types say. */
interface SentPart extends Part {
  readonly headers: Readonly<Record<string, string>>
  readonly transferEncoding: string
}

/**
 * Formidable passes over file names it finds odd, so the header itself says whether this is a file. It would also undo
 * base64, which RFC 7578 does away with: such text is no image.
 */
const judgePhotoPart = (part: Part): Problem | null => {
  const { headers, transferEncoding } = part as SentPart
  if (transferEncoding === "base64") return problem("UNSUPPORTED_IMAGE_TYPE", "customerFace")
  return /;\s*filename\*?=/i.test(headers["content-disposition"] ?? "")
    ? null
    : problem("CUSTOMER_FACE_REQUIRED", "customerFace", "Send customerFace as a file")
}

/**
 * A form with files, read in memory: nothing a customer sends touches a disk before it is sealed. Fields come before
 * files, as they stand in the page, so that a form that is not ours is refused before its files are read.
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { formidable, multipart } from "formidable"
import type { IncomingMessage } from "node:http"
import { mediaType, refuseAnnouncedSize } from "../server/body.ts"
import { problem, type Problem } from "../server/problems.ts"

/** Bytes of a field: only the token is one. */
const largestField = 1024

/** Bytes of what is around the parts. */
const wrapping = 16 * 1024

export interface FileForm {
  readonly token: string | null
  /** Bytes by the name of their field. One over the limit is kept, so that whoever judges the file can tell. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** `limits`: the files there may be, and how many bytes of each. */
export const readFileForm = (
  request: HttpServerRequest.HttpServerRequest,
  limits: Readonly<Record<string, number>>,
  isOurs: (token: string | null) => boolean
): Effect.Effect<FileForm, Problem> => {
  const names = Object.keys(limits)
  // Files over their limit are read to the end as long as the form as a whole stays within twice what is allowed.
  const largest = 2 * Object.values(limits).reduce((sum, limit) => sum + limit, 0) + wrapping
  if (mediaType(request) !== "multipart/form-data") {
    return Effect.fail(problem("UNSUPPORTED_MEDIA_TYPE", "body", "Send the form as a browser does"))
  }
  return Effect.andThen(
    refuseAnnouncedSize(request, largest),
    Effect.callback<FileForm, Problem>((resume) => {
      const source = NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
      if (source.headers.expect !== undefined) NodeHttpServerRequest.toServerResponse(request).writeContinue()
      const files = new Map<string, Uint8Array>()
      let token: string | null = null
      const form = formidable({
        enabledPlugins: [multipart],
        maxFields: 1,
        maxFiles: names.length,
        allowEmptyFiles: true,
        minFileSize: 0
      })
      // What comes after a refusal is nobody's: formidable would go on reading it.
      const settle = (outcome: Effect.Effect<FileForm, Problem>) => {
        source.removeAllListeners("data")
        resume(outcome)
        form.emit("error", new Error("settled"))
      }
      const refuse = () => settle(Effect.fail(malformed))
      form.on("progress", (received) => {
        if (received > largest) settle(Effect.fail(tooLarge))
      })
      form.onPart = (part) => {
        const name = part.name ?? ""
        const limit = name === "token" ? largestField : names.includes(name) ? limits[name] : undefined
        const isRepeated = name === "token" ? token !== null : files.has(name)
        if (limit === undefined || isRepeated) return refuse()
        if (name !== "token" && !isOurs(token)) return settle(Effect.succeed({ token: null, files: new Map() }))
        const chunks: Array<Buffer> = []
        let kept = 0
        part.on("data", (chunk: Buffer) => {
          const room = limit + 1 - kept
          if (room > 0) chunks.push(chunk.subarray(0, room))
          kept += Math.min(Math.max(room, 0), chunk.length)
        })
        part.on("end", () => {
          const bytes = Buffer.concat(chunks)
          if (name === "token") token = bytes.toString()
          else files.set(name, bytes)
        })
      }
      form.parse(source).then(
        () => settle(Effect.succeed({ token, files })),
        () => resume(Effect.fail(malformed))
      )
    })
  )
}

const malformed = problem("VALIDATION_FAILED", "body", "The body is no well-formed form")
const tooLarge = problem("PAYLOAD_TOO_LARGE", "body")

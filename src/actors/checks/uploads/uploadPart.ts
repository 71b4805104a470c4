/**
 * What one part of an upload shows by itself: whether the part may be kept and, of the first part, which kind of file it
 * begins. How parts are stored, and whether all of them have arrived, is decided by the store. Pure.
 */
import { Effect } from "effect"
import { hash } from "node:crypto"
import { UploadRefused, type Chunk } from "./Uploads.ts"
import { uploadRow, type MediaKind, type Medium } from "./uploadRows.ts"

const wrong = (rule: string) => new UploadRefused({ code: "WRONG_CHUNK", rule })

/** The kind of the file that the first part begins; null for any other part. */
export const kindBegunBy = Effect.fnUntraced(function* (
  medium: Medium,
  { bytes, number, sha256 }: Chunk
): Effect.fn.Return<MediaKind | null, UploadRefused> {
  const { kindBytes, kindOf, kindRule, largestPartBytes, mostParts } = uploadRow(medium)
  if (!Number.isInteger(number) || number < 0 || number >= mostParts) {
    return yield* wrong(`must have a number from 0 to ${mostParts - 1}`)
  }
  if (bytes.length === 0 || bytes.length > largestPartBytes) {
    return yield* wrong(`must have 1 to ${largestPartBytes} bytes`)
  }
  if (hash("sha256", bytes) !== sha256.toLowerCase()) {
    return yield* new UploadRefused({ code: "DAMAGED_CHUNK", rule: "must arrive as it was sent" })
  }
  if (number > 0) return null
  // Too short to begin a file of any kind.
  const kind = bytes.length < kindBytes ? "OTHER" : kindOf(bytes)
  return kind === "OTHER" ? yield* new UploadRefused({ code: "UNSUPPORTED", rule: kindRule }) : kind
})

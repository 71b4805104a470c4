/** Uploads a file that has arrived in one piece, as if its sender had sent it in parts. */
import { Effect } from "effect"
import { hash } from "node:crypto"
import type { JourneyId } from "../../../schema/ids.ts"
import { Uploads } from "./Uploads.ts"
import { uploadRow, type Medium } from "./uploadRows.ts"

/** Answers with the id of the upload. */
export const uploadWhole = Effect.fnUntraced(function* (
  journeyId: JourneyId,
  medium: Medium,
  file: Uint8Array,
  challengeId: string | null = null
) {
  const uploads = yield* Uploads
  const { largestPartBytes } = uploadRow(medium)
  const upload = { journeyId, medium, uploadId: yield* uploads.begin(journeyId, medium, challengeId) }
  let number = 0
  for (let at = 0; at < file.length; at += largestPartBytes) {
    const bytes = file.subarray(at, at + largestPartBytes)
    yield* uploads.chunk(upload, { number, bytes, sha256: hash("sha256", bytes, "hex") })
    number += 1
  }
  yield* uploads.complete(upload, number)
  return upload.uploadId
})

/**
 * What one part of an uploaded video shows by itself: whether the part may be kept and, of the first part, which kind of
 * video it begins. How parts are stored, and whether all of them have arrived, is decided by the store. Pure.
 */
import { Effect } from "effect"
import { hash } from "node:crypto"
import { sentVideoLimits } from "../../schema/media/limits.ts"
import { videoKind, type VideoKind } from "../../schema/media/videoHeader.ts"
import { VideoRefused, type Chunk } from "./Videos.ts"

const { kindBytes, largestPartBytes, mostParts } = sentVideoLimits

const wrong = (rule: string) => new VideoRefused({ code: "WRONG_CHUNK", rule })

/** The kind of the video that the first part begins; null for any other part. */
export const kindBegunBy = Effect.fnUntraced(function* ({
  bytes,
  number,
  sha256
}: Chunk): Effect.fn.Return<VideoKind | null, VideoRefused> {
  if (!Number.isInteger(number) || number < 0 || number >= mostParts) {
    return yield* wrong(`must have a number from 0 to ${mostParts - 1}`)
  }
  if (bytes.length === 0 || bytes.length > largestPartBytes) {
    return yield* wrong(`must have 1 to ${largestPartBytes} bytes`)
  }
  if (hash("sha256", bytes) !== sha256.toLowerCase()) {
    return yield* new VideoRefused({ code: "DAMAGED_CHUNK", rule: "must arrive as it was sent" })
  }
  if (number > 0) return null
  if (bytes.length < kindBytes) return yield* wrong(`must have at least ${kindBytes} bytes when it is the first one`)
  const kind = videoKind(bytes)
  return kind === "OTHER"
    ? yield* new VideoRefused({ code: "UNSUPPORTED", rule: "must be an MP4, QuickTime or WebM video" })
    : kind
})

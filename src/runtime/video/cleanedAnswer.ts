/**
 * Reads the answer to CLEAN while it arrives, and gives the cleaned video on in parts, so that it is nowhere whole in this
 * process. `videoAnswer.ts` describes the answer; where the parts are kept is the caller's business.
 */
import { Effect, Stream } from "effect"
import { sentVideoLimits } from "../../schema/media/limits.ts"
import { videoLimits } from "./limits.ts"
import { begun, lineIn, type CleanedLine, type UnreadableVideo } from "./videoAnswer.ts"

/** What came: whether the process had begun with the video, and its answer; null: it gave no whole one. */
export interface CleanedAnswer {
  readonly hasBegun: boolean
  readonly line: CleanedLine | UnreadableVideo | null
}

const newline = 0x0a
const partBytes = sentVideoLimits.largestPartBytes

/** Parts of the same size, but for the last. */
const partsTo = <E>(keep: (part: Uint8Array) => Effect.Effect<void, E>) => {
  let waiting: Array<Uint8Array> = []
  let held = 0
  const end = Effect.suspend(() => {
    const part = Buffer.concat(waiting)
    waiting = []
    held = 0
    return part.length === 0 ? Effect.void : keep(part)
  })
  const take = Effect.fnUntraced(function* (bytes: Uint8Array) {
    for (let at = 0; at < bytes.length;) {
      const some = bytes.subarray(at, at + partBytes - held)
      waiting.push(some)
      held += some.length
      at += some.length
      if (held === partBytes) yield* end
    }
  })
  return { take, end }
}

/** The two lines that come first. */
const headOf = () => {
  let head = Buffer.alloc(0)
  return {
    /** What follows the head; null while the head is not whole. */
    take: (bytes: Uint8Array): Uint8Array | null => {
      head = Buffer.concat([head, bytes])
      const end = head.indexOf(newline, begun.length)
      if (end === -1) return null
      const rest = head.subarray(end + 1)
      head = head.subarray(0, end)
      return rest
    },
    isTooLong: () => head.length > videoLimits.largestLineBytes,
    hasBegun: () => head.subarray(0, begun.length).toString() === begun,
    line: () => {
      const line = lineIn(head.subarray(begun.length).toString())
      return line?._tag === "Video" ? null : line
    }
  }
}

/** Listens to one process. The answer can be asked for at any time, also when listening was broken off. */
export const cleanedAnswer = <E>(keep: (part: Uint8Array) => Effect.Effect<void, E>) => {
  const head = headOf()
  const parts = partsTo(keep)
  let isHeadWhole = false
  let isWhole = false
  let left = 0
  /** False: what comes is no answer, and nobody listens any longer. */
  const hear = Effect.fnUntraced(function* (bytes: Uint8Array) {
    let video: Uint8Array | null = bytes
    if (!isHeadWhole) {
      video = head.take(bytes)
      if (video === null) return !head.isTooLong()
      isHeadWhole = true
      const line = head.line()
      left = line?._tag === "Cleaned" ? line.bytes : 0
      if (left > videoLimits.largestCleanedBytes) return false
    }
    left -= video.length
    if (left < 0) return false
    yield* parts.take(video)
    return true
  })
  return {
    listen: <F>(said: Stream.Stream<Uint8Array, F>) =>
      said.pipe(
        Stream.mapEffect(hear),
        Stream.takeWhile((goesOn) => goesOn),
        Stream.runDrain,
        Effect.andThen(Effect.suspend(() => (isHeadWhole && left === 0 ? parts.end : Effect.void))),
        Effect.andThen(
          Effect.sync(() => {
            isWhole = isHeadWhole && left === 0
          })
        )
      ),
    answer: (): CleanedAnswer => ({ hasBegun: head.hasBegun(), line: isWhole ? head.line() : null })
  }
}

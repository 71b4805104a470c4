/**
 * The protocol between this service and the process that reads a video: the question, and the answer as bytes. A cleaned video
 * (`cleanedAnswer.ts`) follows its line just as frames follow theirs. What follows from an answer is decided by its reader.
 */

export type VideoQuestion = "CLEAN" | "FRAMES" | "TURNS"

/** Written just before the video is read. Any failure after it is the video's fault. */
export const begun = "BEGUN\n"

export interface UnreadableVideo {
  readonly _tag: "Refused"
  readonly code: "TOO_LONG" | "UNREADABLE"
  /** Completes the sentence "The video ...". */
  readonly rule: string
}

/** A frame with its moment, in milliseconds from the beginning of the video. */
export interface VideoFrame {
  readonly at: number
  readonly jpeg: Uint8Array
}

export interface VideoSeen {
  readonly _tag: "Video"
  readonly seconds: number
  readonly frames: ReadonlyArray<VideoFrame>
}

/** The video without sound and without anything that was said about it, in a file of its own. */
export interface VideoCleaned {
  readonly _tag: "Cleaned"
  readonly seconds: number
  readonly video: Uint8Array
}

interface FrameInLine {
  readonly at: number
  readonly bytes: number
}

type SeenLine = Omit<VideoSeen, "frames"> & { readonly frames: ReadonlyArray<FrameInLine> }

/** How long the video lasts, and how many bytes of it follow. */
export interface CleanedLine {
  readonly _tag: "Cleaned"
  readonly seconds: number
  readonly bytes: number
}

/** One line of JSON with everything but the pictures, or the video. They follow it one after another. */
type Line = UnreadableVideo | SeenLine | CleanedLine

const lineOf = (answer: UnreadableVideo | VideoSeen | VideoCleaned): Line => {
  switch (answer._tag) {
    case "Refused":
      return answer
    case "Video":
      return { ...answer, frames: answer.frames.map(({ at, jpeg }) => ({ at, bytes: jpeg.length })) }
    case "Cleaned":
      return { _tag: "Cleaned", seconds: answer.seconds, bytes: answer.video.length }
  }
}

/** What is written, one after the other. */
export const answerPieces = (answer: UnreadableVideo | VideoSeen | VideoCleaned): ReadonlyArray<Uint8Array> => [
  Buffer.from(`${JSON.stringify(lineOf(answer))}\n`),
  ...(answer._tag === "Video" ? answer.frames.map(({ jpeg }) => jpeg) : []),
  ...(answer._tag === "Cleaned" ? [answer.video] : [])
]

/** The answer to FRAMES and TURNS. Null for bytes that are no whole answer. The video may have taken over the process that wrote them. */
export const readAnswer = (bytes: Buffer): UnreadableVideo | VideoSeen | null => {
  const end = bytes.indexOf("\n")
  const line = end === -1 ? null : lineIn(bytes.subarray(0, end).toString())
  if (line === null || line._tag === "Refused") return line
  if (line._tag === "Cleaned") return null
  const frames: Array<VideoFrame> = []
  let place = end + 1
  for (const { at, bytes: length } of line.frames) {
    frames.push({ at, jpeg: bytes.subarray(place, place + length) })
    place += length
  }
  return place === bytes.length ? { ...line, frames } : null
}

const isFrame = (value: unknown): value is FrameInLine =>
  typeof value === "object" &&
  value !== null &&
  "at" in value &&
  "bytes" in value &&
  Number.isInteger(value.at) &&
  Number(value.at) >= 0 &&
  Number.isInteger(value.bytes) &&
  Number(value.bytes) > 0

/** The line of an answer; null for anything else. */
export const lineIn = (text: string): Line | null => {
  const { _tag, bytes, code, frames, rule, seconds } = fieldsOf(text)
  if (_tag === "Refused" && (code === "TOO_LONG" || code === "UNREADABLE") && typeof rule === "string") {
    return { _tag, code, rule }
  }
  if (_tag === "Cleaned" && Number.isFinite(seconds) && Number.isInteger(bytes) && Number(bytes) > 0) {
    return { _tag, seconds: Number(seconds), bytes: Number(bytes) }
  }
  const isVideo = _tag === "Video" && Number.isFinite(seconds) && Array.isArray(frames) && frames.every(isFrame)
  return isVideo ? { _tag, seconds: Number(seconds), frames } : null
}

const fieldsOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/**
 * The protocol between this service and the process that reads a video: the question, and the answer as bytes. What
 * follows from an answer is decided by its reader.
 */

export type VideoQuestion = "MEASURE" | "FRAMES"

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

interface FrameInLine {
  readonly at: number
  readonly bytes: number
}

/** One line of JSON with everything but the pictures. The pictures follow it one after another. */
type Line = UnreadableVideo | (Omit<VideoSeen, "frames"> & { readonly frames: ReadonlyArray<FrameInLine> })

export const answerBytes = (answer: UnreadableVideo | VideoSeen): Uint8Array => {
  const frames = answer._tag === "Video" ? answer.frames : []
  const listed = frames.map(({ at, jpeg }) => ({ at, bytes: jpeg.length }))
  const line = answer._tag === "Video" ? { ...answer, frames: listed } : answer
  return Buffer.concat([Buffer.from(`${JSON.stringify(line satisfies Line)}\n`), ...frames.map(({ jpeg }) => jpeg)])
}

/** Null for bytes that are no whole answer. The video may have taken over the process that wrote them. */
export const readAnswer = (bytes: Buffer): UnreadableVideo | VideoSeen | null => {
  const end = bytes.indexOf("\n")
  const line = end === -1 ? null : lineIn(bytes.subarray(0, end).toString())
  if (line === null || line._tag === "Refused") return line
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

const lineIn = (text: string): Line | null => {
  const { _tag, code, frames, rule, seconds } = fieldsOf(text)
  if (_tag === "Refused" && (code === "TOO_LONG" || code === "UNREADABLE") && typeof rule === "string") {
    return { _tag, code, rule }
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

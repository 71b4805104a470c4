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

export interface VideoSeen {
  readonly _tag: "Video"
  readonly seconds: number
  /** JPEG. */
  readonly frames: ReadonlyArray<Uint8Array>
}

/** One line of JSON with everything but the frames. The frames follow it one after another. */
type Line = UnreadableVideo | (Omit<VideoSeen, "frames"> & { readonly frames: ReadonlyArray<number> })

export const answerBytes = (answer: UnreadableVideo | VideoSeen): Uint8Array => {
  const frames = answer._tag === "Video" ? answer.frames : []
  const line = answer._tag === "Video" ? { ...answer, frames: frames.map(({ length }) => length) } : answer
  return Buffer.concat([Buffer.from(`${JSON.stringify(line satisfies Line)}\n`), ...frames])
}

/** Null for bytes that are no whole answer. The video may have taken over the process that wrote them. */
export const readAnswer = (bytes: Buffer): UnreadableVideo | VideoSeen | null => {
  const end = bytes.indexOf("\n")
  const line = end === -1 ? null : lineIn(bytes.subarray(0, end).toString())
  if (line === null || line._tag === "Refused") return line
  const frames: Array<Uint8Array> = []
  let at = end + 1
  for (const length of line.frames) {
    frames.push(bytes.subarray(at, at + length))
    at += length
  }
  return at === bytes.length ? { ...line, frames } : null
}

const isLength = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0

const lineIn = (text: string): Line | null => {
  const { _tag, code, frames, rule, seconds } = fieldsOf(text)
  if (_tag === "Refused" && (code === "TOO_LONG" || code === "UNREADABLE") && typeof rule === "string") {
    return { _tag, code, rule }
  }
  const isVideo = _tag === "Video" && Number.isFinite(seconds) && Array.isArray(frames) && frames.every(isLength)
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

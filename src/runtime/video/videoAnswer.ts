/**
 * What is said between this service and the process that reads a video: what is asked, and the answer as bytes. Who
 * says it, and what follows, is theirs.
 */

export type VideoQuestion = "MEASURE" | "FRAMES"

/** Written when the video is about to be read: what goes wrong from here on is because of it. */
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

/** One line that says everything but the frames, which follow it one after another. */
type Line = UnreadableVideo | (Omit<VideoSeen, "frames"> & { readonly frames: ReadonlyArray<number> })

export const answerBytes = (answer: UnreadableVideo | VideoSeen): Uint8Array => {
  const frames = answer._tag === "Video" ? answer.frames : []
  const line = answer._tag === "Video" ? { ...answer, frames: frames.map(({ length }) => length) } : answer
  return Buffer.concat([Buffer.from(`${JSON.stringify(line satisfies Line)}\n`), ...frames])
}

/** Null of what is no whole answer: the video may have taken over who says it. */
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

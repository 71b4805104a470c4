/**
 * A process for one video, which comes in at its standard input and lives in its memory alone: measures it, or takes
 * frames out of it, and answers at its standard output. Videos are read by FFmpeg as WebAssembly, which has no files, no
 * network and no memory but its own; `VideoReader.ts` starts the process, confines it and ends it in time. FFmpeg's log
 * is not looked at: it quotes what is in the file, such as the place where it was recorded.
 */
import { longestVideo, mostFramePixels, type VideoKind } from "../../schema/media/videoHeader.ts"
import { loadFfmpeg, type Ffmpeg } from "./ffmpeg.ts"
import { videoLimits } from "./limits.ts"
import { answerBytes, begun, type VideoQuestion, type UnreadableVideo, type VideoSeen } from "./videoAnswer.ts"

const mostFrames = longestVideo * videoLimits.mostFramesPerSecond

const [question, kind, size] = process.argv.slice(2) as [VideoQuestion, VideoKind, string]

const readInput = async (bytes: number): Promise<Uint8Array> => {
  const video = new Uint8Array(bytes)
  let at = 0
  for await (const part of process.stdin as AsyncIterable<Uint8Array>) {
    video.set(part, at)
    at += part.length
  }
  if (at !== bytes) throw new Error("the video is not whole")
  return video
}

/** Its own demuxer and nothing else: what is in the file must not choose another, nor name other files. */
const input = [
  ["-v", "quiet"],
  ["-protocol_whitelist", "file"],
  ["-max_pixels", String(mostFramePixels)],
  ["-f", kind === "MP4" ? "mov" : "matroska"]
].flat()

/** What a run leaves behind; null of one that fails, or stops at something in the video. */
const made = (ffmpeg: Ffmpeg, program: "exec" | "ffprobe", args: ReadonlyArray<string>): Uint8Array | null => {
  try {
    ffmpeg.reset()
    ffmpeg[program](...input, ...args, "made")
    const file = ffmpeg.FS.readFile("made")
    ffmpeg.FS.unlink("made")
    return file.length === 0 ? null : file
  } catch {
    return null
  }
}

/** In seconds, the times of its frames: a file may say what it wants of its length, or nothing. */
const frameTimes = (ffmpeg: Ffmpeg): ReadonlyArray<number> => {
  const shown = ["-select_streams", "V:0", "-show_entries", "packet=pts_time", "-of", "json"]
  const listed = made(ffmpeg, "ffprobe", [...shown, "-read_intervals", `%+#${mostFrames + 1}`, "-i", "video", "-o"])
  if (listed === null) return []
  const { packets = [] } = JSON.parse(Buffer.from(listed).toString()) as {
    readonly packets?: ReadonlyArray<{ readonly pts_time?: string }>
  }
  return packets.map(({ pts_time: time }) => Number(time)).filter(Number.isFinite)
}

const shorterThan = (length: string) => `'min(${videoLimits.longestFrameSidePixels},${length})'`

/**
 * It is turned as the file says, by FFmpeg. Without its own code tables, which this build of FFmpeg reckons wrongly and
 * then crashes: see "of many details".
 */
const asJpeg = [
  ["-map", "0:V:0", "-frames:v", "1"],
  ["-vf", `scale=${shorterThan("iw")}:${shorterThan("ih")}:force_original_aspect_ratio=decrease`],
  ["-q:v", String(videoLimits.frameQuality), "-huffman", "default", "-f", "mjpeg"]
].flat()

/** Null when there is none at that time, in seconds. */
const frameAt = (ffmpeg: Ffmpeg, seconds: number) =>
  made(ffmpeg, "exec", ["-ss", seconds.toFixed(3), "-i", "video", ...asJpeg])

const refused = (code: UnreadableVideo["code"], rule: string): UnreadableVideo => ({ _tag: "Refused", code, rule })

const unreadable = refused("UNREADABLE", "must be a whole and undamaged video in a common format, of 4K at most")

const lookAt = (ffmpeg: Ffmpeg): UnreadableVideo | VideoSeen => {
  const times = frameTimes(ffmpeg).toSorted((a, b) => a - b)
  const seconds = (times.at(-1) ?? 0) - (times[0] ?? 0)
  if (times.length > mostFrames || seconds > longestVideo) {
    return refused("TOO_LONG", `must be at most ${longestVideo} seconds long`)
  }
  // One picture is no video, though it may call itself one; and noise would be searched to its end for each frame.
  if (seconds === 0) return unreadable
  // The last frame is shown at `seconds`: in the middles of as many parts there is one.
  const asked = question === "FRAMES" ? videoLimits.framesTaken : 1
  const middles = Array.from({ length: asked }, (_, part) => (seconds * (part + 0.5)) / asked)
  const frames = middles.map((middle) => frameAt(ffmpeg, middle)).filter((frame) => frame !== null)
  if (frames.length === 0) return unreadable
  return { _tag: "Video", seconds, frames: question === "FRAMES" ? frames : [] }
}

const ffmpeg = await loadFfmpeg()
ffmpeg.FS.writeFile("video", await readInput(Number(size)), { canOwn: true })
process.stdout.write(begun)
process.stdout.write(answerBytes(lookAt(ffmpeg)))

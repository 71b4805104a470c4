/**
 * A process for one video, which comes in at its standard input and lives in its memory alone: measures it, or takes
 * frames out of it, and answers at its standard output. Videos are read by FFmpeg as WebAssembly, which has no files, no
 * network and no memory but its own; `VideoReader.ts` starts the process, confines it and ends it in time. FFmpeg's log
 * is not looked at: it quotes what is in the file, such as the place where it was recorded.
 */
import { longestVideo, mostFramePixels, type VideoKind } from "../../schema/videoHeader.ts"
import { loadFfmpeg, type Ffmpeg } from "./ffmpeg.ts"
import { begun, written, type Question, type Refused, type Seen } from "./videoAnswer.ts"

/** Spread over the video: enough that some show the face, few enough that comparing them takes seconds. */
const framesTaken = 8

/** Pixels. Faces are looked for in a fraction of this. */
const longestFrameSide = 1600

/** Of 1 (best) to 31: fine enough for telling people apart. */
const frameQuality = 3

/** Frames of the longest video at the pace of slow motion. More are not read, so that their list stays short. */
const mostPackets = longestVideo * 240

const [question, kind, size] = process.argv.slice(2) as [Question, VideoKind, string]

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

interface Probed {
  readonly streams?: ReadonlyArray<{ readonly width?: number; readonly height?: number }>
  readonly packets?: ReadonlyArray<{ readonly pts_time?: string }>
}

const probe = (ffmpeg: Ffmpeg): Probed => {
  const shown = ["-select_streams", "V:0", "-show_entries", "stream=width,height:packet=pts_time"]
  ffmpeg.reset()
  ffmpeg.ffprobe(...input, ...shown, "-read_intervals", `%+#${mostPackets + 1}`, "-of", "json", "-o", "probed", "video")
  return JSON.parse(Buffer.from(ffmpeg.FS.readFile("probed")).toString()) as Probed
}

const shorterThan = (length: string) => `'min(${longestFrameSide},${length})'`

/** It is turned as the file says, by FFmpeg. */
const asJpeg = [
  ["-map", "0:V:0", "-frames:v", "1"],
  ["-vf", `scale=${shorterThan("iw")}:${shorterThan("ih")}:force_original_aspect_ratio=decrease`],
  ["-q:v", String(frameQuality), "-f", "mjpeg"]
].flat()

/** Null when there is none at that time, in seconds. */
const frameAt = (ffmpeg: Ffmpeg, seconds: number): Uint8Array | null => {
  ffmpeg.reset()
  ffmpeg.exec(...input, "-ss", seconds.toFixed(3), "-i", "video", ...asJpeg, "frame")
  try {
    const frame = ffmpeg.FS.readFile("frame")
    ffmpeg.FS.unlink("frame")
    return frame.length === 0 ? null : frame
  } catch {
    return null
  }
}

const refused = (code: Refused["code"], rule: string): Refused => ({ _tag: "Refused", code, rule })

const unreadable = refused("UNREADABLE", "must be a whole and undamaged video in a common format")

/** Of the times at which frames are shown, since a file may say what it wants of its length, or nothing. */
const lengthOf = (times: ReadonlyArray<number>): number =>
  times.reduce((most, time) => Math.max(most, time), -Infinity) -
  times.reduce((least, time) => Math.min(least, time), Infinity)

const lookAt = (ffmpeg: Ffmpeg): Refused | Seen => {
  const { packets = [], streams = [] } = probe(ffmpeg)
  const { height = 0, width = 0 } = streams[0] ?? {}
  if (width * height === 0) return unreadable
  if (width * height > mostFramePixels) {
    return refused("UNSUPPORTED", `must have at most ${mostFramePixels} pixels in each frame`)
  }
  const times = packets.map(({ pts_time: time }) => Number(time)).filter(Number.isFinite)
  const seconds = times.length === 0 ? 0 : lengthOf(times)
  if (packets.length > mostPackets || seconds > longestVideo) {
    return refused("TOO_LONG", `must be at most ${longestVideo} seconds long`)
  }
  if (seconds === 0) return unreadable
  // The last frame is shown at `seconds`: in the middles of as many parts there is one.
  const asked = question === "FRAMES" ? framesTaken : 1
  const frames = Array.from({ length: asked }, (_, part) => frameAt(ffmpeg, (seconds * (part + 0.5)) / asked))
  const taken = frames.filter((frame) => frame !== null)
  if (taken.length === 0) return unreadable
  return { _tag: "Video", seconds, width, height, frames: question === "FRAMES" ? taken : [] }
}

const ffmpeg = await loadFfmpeg()
ffmpeg.FS.writeFile("video", await readInput(Number(size)), { canOwn: true })
process.stdout.write(begun)
process.stdout.write(written(lookAt(ffmpeg)))

/**
 * The process that reads one video. The video comes in at standard input and stays in memory. The process measures and cleans
 * it, or takes frames out of it or its beginning, and answers at standard output. FFmpeg as WebAssembly does the reading; it has no files,
 * no network and no memory but its own. `VideoReader.ts` starts the process, confines it and ends it in time. FFmpeg's
 * log is thrown away, because it quotes the file, for example where it was recorded.
 */
import { sentVideoLimits } from "../../schema/media/limits.ts"
import type { VideoKind } from "../../schema/media/videoHeader.ts"
import { loadFfmpeg, type Ffmpeg } from "./ffmpeg.ts"
import { videoLimits } from "./limits.ts"
import { momentsIn } from "./frameMoments.ts"
import {
  answerPieces,
  begun,
  type VideoCleaned,
  type VideoFrame,
  type VideoQuestion,
  type UnreadableVideo,
  type VideoSeen
} from "./videoAnswer.ts"

const mostFrames = sentVideoLimits.longestSeconds * videoLimits.mostFramesPerSecond

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

/**
 * FFmpeg gets the one demuxer that fits the kind of file. Otherwise the content could choose another one, or name other
 * files.
 */
const input = [
  ["-v", "quiet"],
  ["-protocol_whitelist", "file"],
  ["-max_pixels", String(sentVideoLimits.mostFramePixels)],
  ["-f", kind === "MP4" ? "mov" : "matroska"]
].flat()

/** The file that a run of FFmpeg leaves; null for a run that fails or crashes on the video. */
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

interface Listed {
  /** In seconds. The length that a file states about itself may be missing or wrong. */
  readonly times: ReadonlyArray<number>
  readonly codec: string
}

/** The times of the frames, and how they are encoded. */
const listed = (ffmpeg: Ffmpeg): Listed => {
  const shown = ["-select_streams", "V:0", "-show_entries", "packet=pts_time:stream=codec_name", "-of", "json"]
  const list = made(ffmpeg, "ffprobe", [...shown, "-read_intervals", `%+#${mostFrames + 1}`, "-i", "video", "-o"])
  if (list === null) return { times: [], codec: "" }
  const { packets = [], streams = [] } = JSON.parse(Buffer.from(list).toString()) as {
    readonly packets?: ReadonlyArray<{ readonly pts_time?: string }>
    readonly streams?: ReadonlyArray<{ readonly codec_name?: string }>
  }
  const times = packets.map(({ pts_time: time }) => Number(time)).filter(Number.isFinite)
  return { times, codec: streams[0]?.codec_name ?? "" }
}

/**
 * How each kind of encoded frames is freed of what is not picture: encoders and cameras write notes between the frames, too,
 * for example where the video was made. What is encoded otherwise is not taken.
 */
const withoutNotes: Readonly<Record<string, ReadonlyArray<string>>> = {
  h264: ["-bsf:v", "filter_units=remove_types=6"],
  hevc: ["-bsf:v", "filter_units=remove_types=39-40"],
  vp8: [],
  vp9: []
}

/**
 * The same frames in a new file: one track of pictures, without sound and without anything that the file says about itself. Its
 * index stands at the front, so that a player can jump. Null: it cannot be made.
 */
const cleaned = (ffmpeg: Ffmpeg, codec: string): Uint8Array | null => {
  const filter = withoutNotes[codec]
  if (filter === undefined) return null
  const nothingSaid = ["-map_metadata", "-1", "-map_metadata:s", "-1", "-map_chapters", "-1", "-fflags", "+bitexact"]
  const format = kind === "MP4" ? "mp4" : codec.startsWith("vp") ? "webm" : "matroska"
  const index = kind === "MP4" ? ["-movflags", "+faststart"] : ["-cues_to_front", "1"]
  const copied = ["-i", "video", "-map", "0:V:0", "-c", "copy", ...nothingSaid, ...filter]
  return made(ffmpeg, "exec", [...copied, ...index, "-f", format])
}

const scaled = (longestSide: number): string =>
  `scale='min(${longestSide},iw)':'min(${longestSide},ih)':force_original_aspect_ratio=decrease`

/**
 * FFmpeg turns the picture as the file asks. `-huffman default` avoids FFmpeg's own code tables, which this build
 * computes wrongly before it crashes: see the test video "of many details".
 */
const asJpeg = ["-q:v", String(videoLimits.frameQuality), "-huffman", "default"]

const oneFrame = [
  ["-map", "0:V:0", "-frames:v", "1", "-vf", scaled(videoLimits.longestFrameSidePixels)],
  [...asJpeg, "-f", "mjpeg"]
].flat()

/** The frame at a time in milliseconds; null when there is none. */
const frameAt = (ffmpeg: Ffmpeg, at: number): VideoFrame | null => {
  const jpeg = made(ffmpeg, "exec", ["-ss", (at / 1000).toFixed(3), "-i", "video", ...oneFrame])
  return jpeg && { at, jpeg }
}

const turnFile = (number: number | "%d"): string => `turn${number}.jpg`

/** Frames of the beginning, all in one run: to go to each by itself would read what lies before it again and again. */
const beginningOf = (ffmpeg: Ffmpeg, seconds: number): ReadonlyArray<VideoFrame> => {
  const { longestTurnFrameSidePixels, mostTurnFrames, mostTurnFramesPerSecond, turnSeconds } = videoLimits
  const lasts = Math.min(seconds, turnSeconds)
  const perSecond = Math.min(mostTurnFramesPerSecond, mostTurnFrames / lasts)
  const taken = ["-map", "0:V:0", "-vf", `fps=${perSecond.toFixed(3)},${scaled(longestTurnFrameSidePixels)}`, ...asJpeg]
  const end = ["-frames:v", String(mostTurnFrames), "-f", "image2", turnFile("%d")]
  const frames: Array<VideoFrame> = []
  try {
    ffmpeg.reset()
    ffmpeg.exec(...input, "-t", lasts.toFixed(3), "-i", "video", ...taken, ...end)
    for (let number = 1; number <= mostTurnFrames; number += 1) {
      frames.push({ at: Math.round(((number - 1) * 1000) / perSecond), jpeg: ffmpeg.FS.readFile(turnFile(number)) })
    }
  } catch {
    // A shorter video, or a damaged one, has fewer frames.
  }
  return frames
}

const refused = (code: UnreadableVideo["code"], rule: string): UnreadableVideo => ({ _tag: "Refused", code, rule })

const unreadable = refused("UNREADABLE", "must be a whole and undamaged video in a common format, of 4K at most")

const lookAt = (ffmpeg: Ffmpeg): UnreadableVideo | VideoSeen | VideoCleaned => {
  const { codec, times: unordered } = listed(ffmpeg)
  const times = unordered.toSorted((a, b) => a - b)
  const seconds = (times.at(-1) ?? 0) - (times[0] ?? 0)
  if (times.length > mostFrames || seconds > sentVideoLimits.longestSeconds) {
    return refused("TOO_LONG", `must be at most ${sentVideoLimits.longestSeconds} seconds long`)
  }
  // One picture is no video, even if it is called one. And noise would be searched to its end for each frame.
  if (seconds === 0) return unreadable
  if (question === "TURNS") {
    const frames = beginningOf(ffmpeg, seconds)
    return frames.length === 0 ? unreadable : { _tag: "Video", seconds, frames }
  }
  const moments = momentsIn(seconds, question === "FRAMES" ? videoLimits.framesTaken : 1)
  const frames = moments.map((at) => frameAt(ffmpeg, at)).filter((frame) => frame !== null)
  if (frames.length === 0) return unreadable
  if (question === "FRAMES") return { _tag: "Video", seconds, frames }
  const video = cleaned(ffmpeg, codec)
  return video === null ? unreadable : { _tag: "Cleaned", seconds, video }
}

const ffmpeg = await loadFfmpeg()
ffmpeg.FS.writeFile("video", await readInput(Number(size)), { canOwn: true })
process.stdout.write(begun)
for (const piece of answerPieces(lookAt(ffmpeg))) process.stdout.write(piece)

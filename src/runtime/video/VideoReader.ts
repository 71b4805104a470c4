/**
 * Has a video read by a process of its own (`videoProcess.ts`): how it is confined, how long and how much it may take,
 * and how many there are at once. The video goes there part by part through a pipe, so that it is nowhere whole in this
 * process and nowhere in clear on a disk. What frames mean is not its business.
 *
 * The process inherits no variable of the environment, and so no secret; by Node's permissions it reads its own
 * program only, writes no file and starts no process; the system lets it write no file, not even of its memory when it
 * crashes, and ends it when it has used up its time, also when nobody is left to do so; it comes after all others for a core.
 */
import { NodeServices } from "@effect/platform-node"
import { Context, Data, type Duration, Effect, Layer, Semaphore, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Video } from "../../actors/checks/Videos.ts"
import type { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { videoLimits } from "./limits.ts"
import { begun, readAnswer, type VideoQuestion, type UnreadableVideo, type VideoSeen } from "./videoAnswer.ts"

const program = fileURLToPath(new URL("videoProcess.ts", import.meta.url))

const ffmpegPackage = new URL("../..", pathToFileURL(createRequire(import.meta.url).resolve("@ffmpeg/core/wasm")))

/** What the process may read beside its program: what is said to it, the rules it shares with us, and FFmpeg. */
const readable = [
  fileURLToPath(ffmpegPackage),
  ...["./", "../../schema/", "../../../package.json"].map((path) => fileURLToPath(new URL(path, import.meta.url)))
]

/** The video cannot be read now. `reason` is a code for the log. */
export class VideoReaderUnavailable extends Data.TaggedError("VideoReaderUnavailable")<{ readonly reason: string }> {}

type Child = ChildProcessSpawner.ChildProcessHandle

type Reading = UnreadableVideo | VideoSeen

type Read = (video: Video) => Effect.Effect<Reading, VideoReaderUnavailable | StoreUnavailable>

export class VideoReader extends Context.Service<
  VideoReader,
  {
    /** Whether it can be read, and how long it is; without frames, and in a time somebody can wait. */
    readonly measure: Read
    /** Frames spread over the video: JPEG, upright, as large as faces are looked for. */
    readonly frames: Read
  }
>()("journeys/runtime/VideoReader") {}

/** Others are for tests. */
export interface VideoReaderOptions {
  readonly program: string
  readonly readWithin: Duration.Input
  readonly measureWithin: Duration.Input
  readonly coreSeconds: number
}

export const layerOf = (changed: Partial<VideoReaderOptions>): Layer.Layer<VideoReader> =>
  Layer.effect(
    VideoReader,
    Effect.gen(function* () {
      const options = {
        program,
        readWithin: videoLimits.readMillis,
        measureWithin: videoLimits.measureMillis,
        coreSeconds: videoLimits.coreSeconds,
        ...changed
      }
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const turn = yield* Semaphore.make(videoLimits.mostProcesses)
      const read = (question: VideoQuestion, video: Video) =>
        readOnce(options, question, video).pipe(
          Effect.scoped,
          turn.withPermits(1),
          Effect.provideService(ChildProcessSpawner.ChildProcessSpawner, spawner)
        )
      return VideoReader.of({
        measure: (video) =>
          Effect.timeoutOrElse(read("MEASURE", video), {
            duration: options.measureWithin,
            orElse: () => Effect.fail(new VideoReaderUnavailable({ reason: "BUSY" }))
          }),
        frames: (video) => read("FRAMES", video)
      })
    })
  ).pipe(Layer.provide(NodeServices.layer))

export const layer: Layer.Layer<VideoReader> = layerOf({})

/** What takes too much of the machine is the video's own doing, or as good as: a second time it would be the same. */
const tooMuch: Reading = { _tag: "Refused", code: "UNREADABLE", rule: "must be readable with ordinary means" }

const readOnce = Effect.fn("VideoReader.read")(function* (
  options: VideoReaderOptions,
  question: VideoQuestion,
  video: Video
) {
  const child = yield* Effect.mapError(
    processFor(options, question, video),
    () => new VideoReaderUnavailable({ reason: "NOT_STARTED" })
  )
  const said: Array<Uint8Array> = []
  yield* Effect.timeoutOption(
    Effect.all([fed(child, video), heard(child, said)], { concurrency: 2 }),
    options.readWithin
  )
  return yield* readingOf(Buffer.concat(said))
})

/** A process that has ended, or is ended, listens no more: what it said by then decides. */
const fed = ({ stdin }: Child, { content }: Video) =>
  Stream.run(content, stdin).pipe(Effect.catchTag("PlatformError", () => Effect.void))

/** Up to the limit: what is longer is no answer. */
const heard = ({ stdout }: Child, said: Array<Uint8Array>) => {
  let bytes = 0
  return stdout.pipe(
    Stream.takeWhile((part) => (bytes += part.length) <= videoLimits.largestAnswerBytes),
    Stream.runForEach((part) => Effect.sync(() => said.push(part))),
    Effect.ignore
  )
}

/** The shell sets the limits, and becomes the process. Ending the scope ends it. */
const processFor = ({ coreSeconds, program }: VideoReaderOptions, question: VideoQuestion, { bytes, kind }: Video) => {
  const confined = `ulimit -c 0 && ulimit -f 0 && ulimit -t ${coreSeconds} && exec nice -n ${videoLimits.niceness} "$@"`
  const permissions = ["--permission", ...[program, ...readable].map((path) => `--allow-fs-read=${path}`)]
  const memory = `--max-old-space-size=${videoLimits.largestHeapMegabytes}`
  const command = [process.execPath, memory, ...permissions, program, question, kind, String(bytes)]
  return ChildProcess.make("/bin/sh", ["-c", confined, "sh", ...command], {
    env: { PATH: "/usr/bin:/bin" },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
    killSignal: "SIGKILL"
  })
}

/**
 * Whoever ended, or had to be ended, after having begun did so because of the video, and would again. Who had not begun
 * by then did not have the video, or not the machine.
 */
const readingOf = (said: Buffer): Effect.Effect<Reading, VideoReaderUnavailable> =>
  said.subarray(0, begun.length).toString() === begun
    ? Effect.succeed(readAnswer(said.subarray(begun.length)) ?? tooMuch)
    : Effect.fail(new VideoReaderUnavailable({ reason: "NOT_BEGUN" }))

/**
 * Has a video read by a process of its own (`videoProcess.ts`), which is confined (`confined.ts`). This file limits its time, its memory and
 * its number. The video goes to the process in parts through a socket, so it is nowhere whole in
 * this process and nowhere in clear on a disk. What the frames mean is not the business of this file.
 *
 * The process may read its own program only. The system ends it when its time is used up, even if this service has died.
 */
import { Context, Data, type Duration, Effect, Layer, type Scope, Stream } from "effect"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Video } from "../../actors/checks/video/Videos.ts"
import { makeFairQueue } from "../../actors/kernel/FairQueue.ts"
import type { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { videoLimits } from "./limits.ts"
import { cleanedAnswer } from "./cleanedAnswer.ts"
import { confined, linkToPackages } from "../processes/confined.ts"
import * as Starter from "../processes/ProcessStarter.ts"
import {
  begun,
  readAnswer,
  type CleanedLine,
  type VideoQuestion,
  type UnreadableVideo,
  type VideoSeen
} from "./videoAnswer.ts"

const program = fileURLToPath(new URL("videoProcess.ts", import.meta.url))

const ffmpegPackage = new URL("../..", pathToFileURL(createRequire(import.meta.url).resolve("@ffmpeg/core/wasm")))

/** What the process may read beside its program: its own folder, what it shares with us, and FFmpeg. */
const readable = [
  fileURLToPath(ffmpegPackage),
  ...linkToPackages(),
  ...["./", "../node/webAssembly.ts", "../../schema/", "../../../package.json"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url))
  )
]

/** The video cannot be read now. `reason` is a code for the log. */
export class VideoReaderUnavailable extends Data.TaggedError("VideoReaderUnavailable")<{ readonly reason: string }> {}

type Failure = VideoReaderUnavailable | StoreUnavailable

export class VideoReader extends Context.Service<
  VideoReader,
  {
    /**
     * Whether the video can be read, how long it is, and the video without sound and without what it says about itself, which
     * is given on in parts while it is made. Answers while a customer waits.
     */
    readonly clean: (
      video: Video,
      keep: (part: Uint8Array) => Effect.Effect<void, StoreUnavailable>
    ) => Effect.Effect<UnreadableVideo | CleanedLine, Failure>
    /** Frames spread over the video, each with its moment: upright JPEGs of the size in which faces are looked for. */
    readonly frames: (video: Video) => Effect.Effect<UnreadableVideo | VideoSeen, Failure>
    /** Smaller frames of the video's beginning, so many a second that a turn of the head is among them. */
    readonly beginning: (video: Video) => Effect.Effect<UnreadableVideo | VideoSeen, Failure>
  }
>()("journeys/runtime/VideoReader") {}

/** The usual ones are the limits of this folder; others are for tests. */
export interface VideoReaderOptions {
  readonly program: string
  readonly readWithin: Duration.Input
  readonly cleanWithin: Duration.Input
  readonly customerWaits: Duration.Input
  readonly coreSeconds: number
}

export const layerOf = (changed: Partial<VideoReaderOptions>): Layer.Layer<VideoReader> =>
  Layer.effect(
    VideoReader,
    Effect.gen(function* () {
      const options = {
        program,
        readWithin: videoLimits.readMillis,
        cleanWithin: videoLimits.cleanMillis,
        customerWaits: videoLimits.customerWaitsMillis,
        coreSeconds: videoLimits.coreSeconds,
        ...changed
      }
      const starter = yield* Starter.ProcessStarter
      const turns = makeFairQueue({
        places: videoLimits.mostProcesses,
        mostWaitingOfOne: videoLimits.mostWaitingOfOne,
        mostWaiting: videoLimits.mostWaiting
      })
      const inTurn = <A, E>(reading: Effect.Effect<A, E, Scope.Scope>) =>
        reading.pipe(
          Effect.scoped,
          turns.run,
          Effect.catchTag("QueueFull", () => Effect.fail(new VideoReaderUnavailable({ reason: "BUSY" })))
        )
      return VideoReader.of({
        clean: (video, keep) =>
          Effect.timeoutOrElse(inTurn(cleanOnce(starter, options, video, keep)), {
            duration: options.customerWaits,
            orElse: () => Effect.fail(new VideoReaderUnavailable({ reason: "BUSY" }))
          }),
        frames: (video) => inTurn(framesOnce(starter, options, "FRAMES", video)),
        beginning: (video) => inTurn(framesOnce(starter, options, "TURNS", video))
      })
    })
  ).pipe(Layer.provide(Starter.layer))

export const layer: Layer.Layer<VideoReader> = layerOf({})

/** A video that takes too much of the machine would do so the second time too, so this is the video's fault. */
const tooMuch: UnreadableVideo = { _tag: "Refused", code: "UNREADABLE", rule: "must be readable with ordinary means" }

/** Starts the process and feeds it while somebody listens to it, for as long as it may take. */
const asked = Effect.fnUntraced(function* <E>(
  starter: Starter.ProcessStarter["Service"],
  options: VideoReaderOptions,
  question: VideoQuestion,
  video: Video,
  listen: (started: Starter.StartedProcess) => Effect.Effect<void, E>
) {
  const started = yield* Effect.mapError(
    starter.start(commandFor(options, question, video)),
    () => new VideoReaderUnavailable({ reason: "NOT_STARTED" })
  )
  const within = question === "CLEAN" ? options.cleanWithin : options.readWithin
  yield* Effect.timeoutOption(Effect.all([fed(started, video), listen(started)], { concurrency: 2 }), within)
})

const framesOnce = Effect.fn("VideoReader.frames")(function* (
  starter: Starter.ProcessStarter["Service"],
  options: VideoReaderOptions,
  question: "FRAMES" | "TURNS",
  video: Video
) {
  const said: Array<Uint8Array> = []
  yield* asked(starter, options, question, video, (started) => heard(started, said))
  const bytes = Buffer.concat(said)
  return yield* readingOf(
    bytes.subarray(0, begun.length).toString() === begun,
    readAnswer(bytes.subarray(begun.length))
  )
})

const cleanOnce = Effect.fn("VideoReader.clean")(function* (
  starter: Starter.ProcessStarter["Service"],
  options: VideoReaderOptions,
  video: Video,
  keep: (part: Uint8Array) => Effect.Effect<void, StoreUnavailable>
) {
  const cleaning = cleanedAnswer(keep)
  yield* asked(starter, options, "CLEAN", video, ({ stdout }) =>
    // A process that breaks off has said all that it will say.
    cleaning.listen(Stream.catchTag(stdout, "ProcessGone", () => Stream.empty))
  )
  const { hasBegun, line } = cleaning.answer()
  return yield* readingOf(hasBegun, line)
})

/** A process that has ended reads no more. What it wrote until then decides. */
const fed = ({ stdin }: Starter.StartedProcess, { content }: Video) =>
  Stream.run(content, stdin).pipe(Effect.catchTag("ProcessGone", () => Effect.void))

/** Keeps the answer up to the limit. Anything longer is no answer. */
const heard = ({ stdout }: Starter.StartedProcess, said: Array<Uint8Array>) => {
  let bytes = 0
  return stdout.pipe(
    Stream.takeWhile((part) => (bytes += part.length) <= videoLimits.largestAnswerBytes),
    Stream.runForEach((part) => Effect.sync(() => said.push(part))),
    Effect.ignore
  )
}

const commandFor = (
  { coreSeconds, program }: VideoReaderOptions,
  question: VideoQuestion,
  { bytes, kind }: Video
): Starter.Command =>
  confined({
    program,
    parameters: [question, kind, String(bytes)],
    readable,
    heapMegabytes: videoLimits.largestHeapMegabytes,
    niceness: videoLimits.niceness,
    coreSeconds,
    allowed: []
  })

/**
 * A process that ended after it had begun ended because of the video, and would do so again. A process that had not
 * begun lacked the video or the machine.
 */
const readingOf = <A>(
  hasBegun: boolean,
  answer: A | null
): Effect.Effect<A | UnreadableVideo, VideoReaderUnavailable> =>
  hasBegun ? Effect.succeed(answer ?? tooMuch) : Effect.fail(new VideoReaderUnavailable({ reason: "NOT_BEGUN" }))

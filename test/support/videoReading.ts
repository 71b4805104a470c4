/** The real reader of videos, patient, for tests that ask it: what it answers, what it cleans, and what it logs. */
import { Context, Effect, Exit, Layer, Logger, Scope, Stream } from "effect"
import type { Video } from "../../src/actors/checks/video/Videos.ts"
import * as VideoReader from "../../src/runtime/video/VideoReader.ts"

/** Time is no matter here, and the machine may be busy. */
const patient = { readWithin: "100 seconds", cleanWithin: "100 seconds", customerWaits: "100 seconds" } as const

export const logged: Array<string> = []
const heard = Logger.layer([Logger.map(Logger.formatJson, (line) => logged.push(line))])

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.result(effect).pipe(Effect.provide(heard)))

export const openReader = async (limits: Partial<VideoReader.VideoReaderOptions>) => {
  const scope = Scope.makeUnsafe()
  const built = await Effect.runPromise(Layer.buildWithScope(VideoReader.layerOf({ ...patient, ...limits }), scope))
  const reader = Context.get(built, VideoReader.VideoReader)
  return {
    /** The answer, and the parts of the cleaned video. */
    clean: async (video: Video) => {
      const parts: Array<Uint8Array> = []
      const keep = (part: Uint8Array) => Effect.sync(() => void parts.push(part))
      return { answer: await run(reader.clean(video, keep)), parts }
    },
    frames: (video: Video) => run(reader.frames(video)),
    reader,
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

export const inParts = (bytes: Uint8Array, size = 50_000): Video["content"] =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
  )

export const videoOf = (bytes: Buffer): Video => ({
  kind: bytes.subarray(4, 8).toString() === "ftyp" ? "MP4" : "WEBM",
  bytes: bytes.length,
  content: inParts(bytes)
})

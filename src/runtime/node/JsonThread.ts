/**
 * One thread that reads large JSON bodies, so that the event loop does not: to read and spell a body of 1 MB takes as long as
 * hundreds of reads. One body at a time, and companies take turns (`FairQueue.ts`). Who comes often with large bodies waits for
 * their like, and nobody else does. What the thread does is in `jsonWorker.ts`; which bodies are large says `jsonBody.ts`.
 */
import { Data, Duration, Effect, Layer, type Scope } from "effect"
import { Piscina } from "piscina"
import { makeFairQueue } from "../../actors/kernel/FairQueue.ts"
import { currentMeter } from "../../actors/kernel/Meter.ts"
import { CurrentLargeJson, type LargeJson } from "../../http/server/bodies/jsonBody.ts"
import { orProblems, unavailable } from "../../http/server/answers/problems.ts"
import type { JsonRead } from "./jsonWorker.ts"
import { nodeLimits } from "./limits.ts"
import { threadEnvironment } from "./threadEnvironment.ts"

const workerScript = new URL("jsonWorker.ts", import.meta.url)

class JsonThreadFailed extends Data.TaggedError("JsonThreadFailed")<{ readonly cause: unknown }> {}

/** Memory that is moved is gone for all that look at it, so it must be the piece's own: pieces as they come from a connection are. */
const ownMemory = (piece: Uint8Array): Uint8Array<ArrayBuffer> =>
  piece.buffer instanceof ArrayBuffer && piece.byteLength === piece.buffer.byteLength
    ? (piece as Uint8Array<ArrayBuffer>)
    : new Uint8Array(piece)

/** Starts no thread before the first large body. Closing the scope ends it. */
export const openJsonThread = Effect.fnUntraced(function* (
  script: URL = workerScript
): Effect.fn.Return<LargeJson, never, Scope.Scope> {
  const run = yield* startThread(script)
  const places = makeFairQueue({
    places: nodeLimits.jsonThreads,
    mostWaitingOfOne: nodeLimits.mostLargeJsonWaiting,
    mostWaiting: nodeLimits.mostLargeJsonWaiting
  })
  const meter = yield* currentMeter
  yield* meter.read("journeys_large_json_waiting", {}, places.waiting)

  const onThread = (pieces: ReadonlyArray<Uint8Array>) =>
    // What was begun is finished although the client is gone: to end the thread would cost more.
    Effect.uninterruptible(run(pieces)).pipe(
      // The answer was copied to this side in this turn of the loop. Others come before it is judged, and before the next body.
      Effect.tap(() => Effect.yieldNow),
      Effect.tapError(({ cause }) => Effect.logError("A large body could not be read", { reason: nameOf(cause) }))
    )
  return {
    read: (pieces) =>
      Effect.flatMap(
        Effect.mapError(places.run(Effect.suspend(() => onThread(pieces))), () => unavailable()),
        orProblems
      )
  }
})

/** Only a name: a message may quote the body. */
const nameOf = (cause: unknown): string => (cause instanceof Error ? cause.name : "unknown")

const startThread = Effect.fnUntraced(function* (script: URL) {
  const pool = new Piscina({
    filename: script.href,
    name: "readLargeJson",
    minThreads: 0,
    maxThreads: nodeLimits.jsonThreads,
    idleTimeout: Number.POSITIVE_INFINITY,
    resourceLimits: { maxOldGenerationSizeMb: nodeLimits.jsonThreadHeapMegabytes },
    workerData: { niceness: nodeLimits.jsonThreadNiceness },
    // The thread needs neither the secrets of the service nor the flags it was started with.
    env: threadEnvironment(),
    execArgv: [],
    atomics: "disabled",
    recordTiming: false
  })
  const inBackground = Effect.runForkWith(yield* Effect.context())
  // The thread failed while it started. The body that waits for it would otherwise wait until its time is up.
  pool.on("error", (error: unknown) => {
    inBackground(Effect.logError("The thread for large bodies cannot start", { reason: nameOf(error) }))
    void pool.destroy()
  })
  yield* Effect.addFinalizer(() => Effect.promise(() => pool.destroy()))
  const within = Duration.toMillis(nodeLimits.largeJsonWithin)
  return (pieces: ReadonlyArray<Uint8Array>): Effect.Effect<JsonRead, JsonThreadFailed> =>
    Effect.tryPromise({
      try: (): Promise<JsonRead> => {
        const own = pieces.map(ownMemory)
        return pool.run(own, { signal: AbortSignal.timeout(within), transferList: own.map(({ buffer }) => buffer) })
      },
      catch: (cause) => new JsonThreadFailed({ cause })
    })
})

export const layer: Layer.Layer<never> = Layer.effect(CurrentLargeJson, openJsonThread())

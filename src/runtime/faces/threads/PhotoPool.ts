/**
 * A few threads that look at photos, so that the event loop never does. This file decides how many threads there are,
 * how long they may take, how many photos may wait, and what happens when a thread fails. Companies take turns for the threads
 * (`FairQueue.ts`). What a thread does with a photo is in `photoWorker.ts`.
 */
import { Clock, Data, type Duration, Effect, Exit, Fiber, type Scope } from "effect"
import { availableParallelism } from "node:os"
import { Piscina } from "piscina"
import { FaceCheckUnavailable } from "../../../actors/faces/FaceCheck.ts"
import { makeFairQueue } from "../../../actors/kernel/FairQueue.ts"
import { currentMeter } from "../../../actors/kernel/Meter.ts"
import { availableMemory } from "../../node/availableMemory.ts"
import { threadEnvironment } from "../../node/threadEnvironment.ts"
import type { FaceBackend } from "../networks/faceBackend.ts"
import type { PhotoLook, PhotoSeen, WorkerStarted } from "./photoWorker.ts"
import { photoLimits } from "../limits.ts"

const workerScript = new URL("photoWorker.ts", import.meta.url)

export interface PhotoPoolOptions {
  readonly script: URL
  /** The one backend to use, without a substitute; null means the best that works. */
  readonly backend: FaceBackend | null
  readonly workers: number
  /** Photos of one company that wait. */
  readonly queue: number
  readonly lookWithin: Duration.Input
  readonly answerWithin: Duration.Input
}

/** The number of threads for so many cores and so much memory in bytes. */
export const workersFor = (cores: number, memory: number): number =>
  Math.max(1, Math.min(photoLimits.mostWorkers, cores - 1, Math.floor(memory / photoLimits.memoryPerWorkerBytes)))

const usualOptions = (): PhotoPoolOptions => {
  const workers = workersFor(availableParallelism(), availableMemory())
  return {
    script: workerScript,
    backend: null,
    workers,
    queue: workers * photoLimits.waitingPerWorker,
    lookWithin: photoLimits.lookWithin,
    answerWithin: photoLimits.answerWithin
  }
}

export interface PhotoPool {
  /** `look` is called when a worker is free, and its photos are then moved to the worker. */
  readonly run: (look: () => PhotoLook) => Effect.Effect<PhotoSeen, FaceCheckUnavailable>
}

/** Starts no thread before the first photo. Closing the scope ends all threads, even in the middle of a photo. */
export const openPhotoPool = (changed: Partial<PhotoPoolOptions> = {}): Effect.Effect<PhotoPool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { answerWithin, backend, lookWithin, queue, script, workers } = { ...usualOptions(), ...changed }
    const threads = yield* startThreads(script, backend, workers)
    const places = makeFairQueue({
      places: workers,
      mostWaitingOfOne: queue,
      mostWaiting: queue * photoLimits.queuesOfAll
    })
    const meter = yield* currentMeter
    const clock = yield* Clock.Clock
    yield* meter.read("journeys_photos_waiting", {}, places.waiting)

    /** An interruption ends the worker, and the next photo starts another one. */
    const onWorker = (look: () => PhotoLook): Effect.Effect<PhotoSeen, FaceCheckUnavailable> =>
      threads.run(look).pipe(
        Effect.timeoutOrElse({
          duration: lookWithin,
          orElse: () => Effect.fail(new PhotoWorkerFailed({ reason: "took too long" }))
        }),
        Effect.tapError(({ reason }) => Effect.logWarning("A photo could not be looked at", { reason })),
        Effect.mapError(() => new FaceCheckUnavailable())
      )

    const measured = <A, E>(looking: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.suspend(() => {
        const begun = clock.currentTimeMillisUnsafe()
        return Effect.onExit(looking, (exit) =>
          Effect.sync(() => {
            const outcome = Exit.isSuccess(exit) ? "LOOKED_AT" : "UNAVAILABLE"
            meter.observe("journeys_photo_seconds", { outcome }, (clock.currentTimeMillisUnsafe() - begun) / 1000)
          })
        )
      })

    const run: PhotoPool["run"] = (look) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          yield* Effect.catchTag(restore(places.take), "QueueFull", () => Effect.fail(new FaceCheckUnavailable()))
          // A photo that was begun is finished even if nobody waits for it any more: to end the worker would cost more,
          // because its models would have to be loaded again. The work ends in time, or with the workers.
          const looking = yield* Effect.forkDetach(Effect.ensuring(restore(onWorker(look)), places.release))
          return yield* restore(Fiber.join(looking))
        })
      ).pipe(
        Effect.timeoutOrElse({ duration: answerWithin, orElse: () => Effect.fail(new FaceCheckUnavailable()) }),
        measured,
        Effect.withSpan("PhotoPool.run")
      )
    return { run }
  })

/** Carries only a name or code, because a message may quote what was in the photo. */
class PhotoWorkerFailed extends Data.TaggedError("PhotoWorkerFailed")<{ readonly reason: string }> {}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  return "code" in error && typeof error.code === "string" ? error.code : error.name
}

/** Starts the threads. Each takes one photo at a time, and they never get more photos than there are threads. */
const startThreads = Effect.fnUntraced(function* (script: URL, backend: FaceBackend | null, workers: number) {
  const inBackground = Effect.runForkWith(yield* Effect.context())
  let isOpen = true
  const pool = new Piscina({
    filename: script.href,
    name: "look",
    minThreads: 0,
    maxThreads: workers,
    // Idle workers stay: their models take longer to load than the memory is worth.
    idleTimeout: Number.POSITIVE_INFINITY,
    resourceLimits: {
      maxOldGenerationSizeMb: photoLimits.workerHeapMegabytes,
      maxYoungGenerationSizeMb: photoLimits.workerYoungHeapMegabytes
    },
    workerData: backend,
    // A worker needs neither the secrets of the service nor the flags that the service was started with.
    env: threadEnvironment(),
    execArgv: [],
    // Waiting without an event loop would save microseconds, but the work that TensorFlow still has to do would stand
    // still.
    atomics: "disabled",
    recordTiming: false
  })
  pool.once("message", ({ backend }: WorkerStarted) => {
    inBackground(Effect.logInfo(`Photos are looked at with ${backend}`))
  })
  // This worker failed while it started. The photo that waits for it would otherwise wait until its time is up.
  pool.on("error", (error: unknown) => {
    inBackground(Effect.logError("A photo worker cannot start", { reason: reasonOf(error) }))
    void pool.destroy()
  })
  yield* Effect.addFinalizer(() =>
    Effect.promise(() => {
      isOpen = false
      return pool.destroy()
    })
  )
  return {
    run: (look: () => PhotoLook): Effect.Effect<PhotoSeen, PhotoWorkerFailed> =>
      Effect.tryPromise({
        try: (signal): Promise<PhotoSeen> => {
          // A destroyed pool would start its threads again.
          if (!isOpen) return Promise.reject(new Error("the service stops"))
          const task = look()
          return pool.run(task, { signal, transferList: task.photos.map(({ buffer }) => buffer) })
        },
        catch: (error) => new PhotoWorkerFailed({ reason: isOpen ? reasonOf(error) : "the service stops" })
      })
  }
})

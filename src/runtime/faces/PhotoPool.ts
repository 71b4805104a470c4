/**
 * A few threads that look at photos, so that the event loop never does: how many, how long they may take, how much may
 * wait, and what happens when one fails. What they do with a photo is `photoWorker.ts`.
 */
import { Clock, Data, type Duration, Effect, Exit, Fiber, type Scope, Semaphore } from "effect"
import { availableParallelism, totalmem } from "node:os"
import { Piscina } from "piscina"
import { FaceCheckUnavailable } from "../../actors/faces/FaceCheck.ts"
import { currentMeter } from "../../actors/kernel/Meter.ts"
import type { FaceBackend } from "./faceBackend.ts"
import type { PhotoLook, PhotoSeen, WorkerStarted } from "./photoWorker.ts"
import { photoLimits } from "./limits.ts"

const workerScript = new URL("photoWorker.ts", import.meta.url)

export interface PhotoPoolOptions {
  readonly script: URL
  /** The one to work with, or none; null is the best there is. */
  readonly backend: FaceBackend | null
  readonly workers: number
  readonly queue: number
  readonly lookWithin: Duration.Input
  readonly answerWithin: Duration.Input
}

/** Of `cores` and bytes of memory. */
export const workersFor = (cores: number, memory: number): number =>
  Math.max(1, Math.min(photoLimits.mostWorkers, cores - 1, Math.floor(memory / photoLimits.memoryPerWorkerBytes)))

/** A container may be allowed less than the machine has; without such a limit the number is 0 or beyond all memory. */
const memory = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

const usualOptions = (): PhotoPoolOptions => {
  const workers = workersFor(availableParallelism(), memory())
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
  /** `look` is made when a worker is free, and what is in it is moved to the worker. */
  readonly run: (look: () => PhotoLook) => Effect.Effect<PhotoSeen, FaceCheckUnavailable>
}

/** No thread before the first photo. Closing the scope ends all of them, also in the middle of a photo. */
export const openPhotoPool = (changed: Partial<PhotoPoolOptions> = {}): Effect.Effect<PhotoPool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { answerWithin, backend, lookWithin, queue, script, workers } = { ...usualOptions(), ...changed }
    const threads = yield* startThreads(script, backend, workers)
    const free = yield* Semaphore.make(workers)
    const meter = yield* currentMeter
    const clock = yield* Clock.Clock
    let waiting = 0
    yield* meter.read("journeys_photos_waiting", {}, () => waiting)

    /** Interrupting it ends the worker; the next photo starts another. */
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
          if (waiting >= queue) return yield* new FaceCheckUnavailable()
          waiting += 1
          yield* Effect.ensuring(
            restore(free.take(1)),
            Effect.sync(() => {
              waiting -= 1
            })
          )
          // Detached from the caller: a photo that was begun is finished though nobody waits for it any more, since
          // ending the worker would cost more, its models being loaded again. It ends in time, or with the workers.
          const looking = yield* Effect.forkDetach(Effect.ensuring(restore(onWorker(look)), free.release(1)))
          return yield* restore(Fiber.join(looking))
        })
      ).pipe(
        Effect.timeoutOrElse({ duration: answerWithin, orElse: () => Effect.fail(new FaceCheckUnavailable()) }),
        measured,
        Effect.withSpan("PhotoPool.run")
      )
    return { run }
  })

/** Says no more than a name or code: messages may quote what was in the photo. */
class PhotoWorkerFailed extends Data.TaggedError("PhotoWorkerFailed")<{ readonly reason: string }> {}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  return "code" in error && typeof error.code === "string" ? error.code : error.name
}

/** The threads, each for one photo at a time. They are never given more photos than there are threads. */
const startThreads = Effect.fnUntraced(function* (script: URL, backend: FaceBackend | null, workers: number) {
  const inBackground = Effect.runForkWith(yield* Effect.context())
  let isOpen = true
  const pool = new Piscina({
    filename: script.href,
    name: "look",
    minThreads: 0,
    maxThreads: workers,
    // Loading the models takes longer than the memory is worth.
    idleTimeout: Number.POSITIVE_INFINITY,
    resourceLimits: {
      maxOldGenerationSizeMb: photoLimits.workerHeapMegabytes,
      maxYoungGenerationSizeMb: photoLimits.workerYoungHeapMegabytes
    },
    workerData: backend,
    // Neither the service's secrets nor the flags it was started with are a matter of photos.
    env: {},
    execArgv: [],
    // Waiting without an event loop spares microseconds, and whatever TensorFlow has left to do would stand still.
    atomics: "disabled",
    recordTiming: false
  })
  pool.once("message", ({ backend }: WorkerStarted) => {
    inBackground(Effect.logInfo(`Photos are looked at with ${backend}`))
  })
  // A worker that failed without a photo, so while it started: the photo waiting for it would wait until its time is up.
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
          // A pool that was destroyed would start threads again.
          if (!isOpen) return Promise.reject(new Error("the service stops"))
          const task = look()
          return pool.run(task, { signal, transferList: task.photos.map(({ buffer }) => buffer) })
        },
        catch: (error) => new PhotoWorkerFailed({ reason: isOpen ? reasonOf(error) : "the service stops" })
      })
  }
})

/**
 * A few threads that look at photos, so that the event loop never does: how many, how long they may take, how much may
 * wait, and what happens when one fails. What they do with a photo is `photoWorker.ts`.
 */
import { Clock, Data, Duration, Effect, Exit, Fiber, type Scope, Semaphore } from "effect"
import { availableParallelism, totalmem } from "node:os"
import { Piscina } from "piscina"
import { FaceCheckUnavailable } from "../../actors/faces/FaceCheck.ts"
import { currentMeter } from "../../actors/kernel/Meter.ts"
import type { FaceBackend } from "./faceBackend.ts"
import type { Look, Seen, Started } from "./photoWorker.ts"

/** Threads, where there are cores and memory for them; one core is left to the event loop. */
const mostWorkers = 4

/**
 * Bytes of the machine's memory for each worker. TensorFlow takes 0.5 GB and the largest photo 1 GB while it is decoded;
 * half of the memory is for everything else.
 */
const memoryPerWorker = 3 * 2 ** 30

/** Photos that wait, for each worker. One takes about a second, so the last ones wait as long as anyone would. */
const waitingPerWorker = 8

/**
 * From when a photo is given to a worker; whoever takes longer is ended, and its models are loaded anew. The largest
 * photo takes three seconds of a core, and where cores are short a worker gets a third of one.
 */
const lookedAtWithin = Duration.seconds(20)

/** From the question to the answer, waiting included. Callers have less patience than this: `sharedLooks.ts`. */
const answeredWithin = Duration.seconds(60)

/**
 * Megabytes of JavaScript objects in each worker; the largest JPEG that is decoded takes almost half. Pixels and
 * TensorFlow's memory are outside of it: the size of the photos that are decoded bounds them.
 */
const workerMemory = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 }

const workerScript = new URL("photoWorker.ts", import.meta.url)

export interface Limits {
  readonly script: URL
  /** The one to work with, or none; null is the best there is. */
  readonly backend: FaceBackend | null
  readonly workers: number
  readonly queue: number
  readonly lookedAtWithin: Duration.Input
  readonly answeredWithin: Duration.Input
}

/** Of `cores` and bytes of memory. */
export const workersFor = (cores: number, memory: number): number =>
  Math.max(1, Math.min(mostWorkers, cores - 1, Math.floor(memory / memoryPerWorker)))

/** A container may be allowed less than the machine has; without such a limit the number is 0 or beyond all memory. */
const memory = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

const limits = (): Limits => {
  const workers = workersFor(availableParallelism(), memory())
  return {
    script: workerScript,
    backend: null,
    workers,
    queue: workers * waitingPerWorker,
    lookedAtWithin,
    answeredWithin
  }
}

export interface PhotoPool {
  /** `look` is made when a worker is free, and what is in it is moved to the worker. */
  readonly run: (look: () => Look) => Effect.Effect<Seen, FaceCheckUnavailable>
}

/** No thread before the first photo. Closing the scope ends all of them, also in the middle of a photo. */
export const open = (changed: Partial<Limits> = {}): Effect.Effect<PhotoPool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { answeredWithin, backend, lookedAtWithin, queue, script, workers } = { ...limits(), ...changed }
    const threads = yield* startThreads(script, backend, workers)
    const free = yield* Semaphore.make(workers)
    const meter = yield* currentMeter
    const clock = yield* Clock.Clock
    let waiting = 0
    yield* meter.read("journeys_photos_waiting", {}, () => waiting)

    /** Interrupting it ends the worker; the next photo starts another. */
    const onWorker = (look: () => Look): Effect.Effect<Seen, FaceCheckUnavailable> =>
      threads.run(look).pipe(
        Effect.timeoutOrElse({
          duration: lookedAtWithin,
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
        Effect.timeoutOrElse({ duration: answeredWithin, orElse: () => Effect.fail(new FaceCheckUnavailable()) }),
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
    resourceLimits: workerMemory,
    workerData: backend,
    // Neither the service's secrets nor the flags it was started with are a matter of photos.
    env: {},
    execArgv: [],
    // Waiting without an event loop spares microseconds, and whatever TensorFlow has left to do would stand still.
    atomics: "disabled",
    recordTiming: false
  })
  pool.once("message", ({ backend }: Started) => {
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
    run: (look: () => Look): Effect.Effect<Seen, PhotoWorkerFailed> =>
      Effect.tryPromise({
        try: (signal): Promise<Seen> => {
          // A pool that was destroyed would start threads again.
          if (!isOpen) return Promise.reject(new Error("the service stops"))
          const task = look()
          return pool.run(task, { signal, transferList: task.photos.map(({ buffer }) => buffer) })
        },
        catch: (error) => new PhotoWorkerFailed({ reason: isOpen ? reasonOf(error) : "the service stops" })
      })
  }
})

/**
 * A few processes that look at photos, so that the event loop never does. This file decides how many there are, how long they may take, how
 * many photos may wait, and what happens when a process fails. Companies take turns (`FairQueue.ts`). What a process does with
 * a photo is in `photoProcess.ts`; how it is confined, in `confined.ts`.
 */
import { Clock, Context, type Duration, Effect, Exit, Pool, Scope } from "effect"
import { createRequire } from "node:module"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { FaceCheckUnavailable } from "../../../actors/faces/FaceCheck.ts"
import { makeFairQueue } from "../../../actors/kernel/FairQueue.ts"
import { currentMeter } from "../../../actors/kernel/Meter.ts"
import { availableMemory } from "../../node/availableMemory.ts"
import { ProcessFailed, startAnswering, type AnsweringProcess } from "../../processes/answeringProcess.ts"
import { ProcessStarter } from "../../processes/ProcessStarter.ts"
import { nativePackage, type FaceBackend } from "../networks/backends.ts"
import { photoLimits } from "../limits.ts"
import { answerOfLook } from "./answerOfLook.ts"
import { readyIn, seenIn } from "./photoAnswers.ts"
import { questionOf, type PhotoLook, type PhotoSeen, type PhotosReady } from "./photoMessages.ts"

const program = fileURLToPath(new URL("photoProcess.ts", import.meta.url))

export interface PhotoPoolOptions {
  /** The file of what the processes run. */
  readonly program: string
  /** The one backend to use, without a substitute; null means the best that works. */
  readonly backend: FaceBackend | null
  readonly processes: number
  /** Photos of one company that wait. */
  readonly queue: number
  readonly lookWithin: Duration.Input
  readonly answerWithin: Duration.Input
}

/** The number of processes for so many cores and so much memory in bytes. */
export const processesFor = (cores: number, memory: number): number =>
  Math.max(1, Math.min(photoLimits.mostProcesses, cores - 1, Math.floor(memory / photoLimits.memoryPerProcessBytes)))

const usualOptions = (): PhotoPoolOptions => {
  const processes = processesFor(availableParallelism(), availableMemory())
  return {
    program,
    backend: null,
    processes,
    queue: processes * photoLimits.waitingPerProcess,
    lookWithin: photoLimits.lookWithin,
    answerWithin: photoLimits.answerWithin
  }
}

type Looking = Effect.Effect<PhotoSeen, FaceCheckUnavailable>

/** What stands before a process's look at a photo. Nothing does: a photo is kept nowhere. Tests, which have few photos, have each looked at once. */
export const BeforeLook = Context.Reference<(look: PhotoLook, looking: Looking) => Looking>(
  "journeys/runtime/BeforeLook",
  { defaultValue: () => (_, looking) => looking }
)

export interface PhotoPool {
  readonly hasRoom: Effect.Effect<boolean>
  readonly run: (look: PhotoLook) => Looking
}

/** Starts no process before the first photo. Closing the scope ends all of them, even in the middle of a photo. */
export const openPhotoPool = (
  changed: Partial<PhotoPoolOptions> = {}
): Effect.Effect<PhotoPool, never, Scope.Scope | ProcessStarter> =>
  Effect.gen(function* () {
    const options = { ...usualOptions(), ...changed }
    const { answerWithin, lookWithin, processes, queue } = options
    const running = yield* Scope.make()
    const pool = yield* Pool.makeWithTTL({
      acquire: yield* starting(options, running),
      min: 0,
      max: processes,
      timeToLive: photoLimits.keptFor
    })
    // The processes end before the pool waits for those who look at a photo.
    yield* Effect.addFinalizer((exit) => Scope.close(running, exit))
    const places = makeFairQueue({
      places: processes,
      mostWaitingOfOne: queue,
      mostWaiting: queue * photoLimits.queuesOfAll
    })
    const beforeLook = yield* BeforeLook
    const meter = yield* currentMeter
    const clock = yield* Clock.Clock
    yield* meter.read("journeys_photos_waiting", {}, places.waiting)

    /** A process that failed, or was not done in time, is ended, and the next photo starts another one. */
    const seenBy = (process: AnsweringProcess<PhotosReady>, look: PhotoLook) =>
      Effect.onExit(process.ask(questionOf(look), seenIn), (exit) =>
        Exit.isSuccess(exit) ? Effect.void : Pool.invalidate(pool, process)
      )

    const onProcess = (look: PhotoLook): Looking =>
      Pool.use(pool, (process) => seenBy(process, look)).pipe(
        Effect.timeoutOrElse({
          duration: lookWithin,
          orElse: () => Effect.fail(new ProcessFailed({ reason: "took too long" }))
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
          // A photo that was begun is finished even if nobody waits for it any more: to end the process would cost more,
          // because its models would have to be loaded again. The look ends in time, or with the pool.
          const looking = yield* Effect.forkDetach(
            Effect.ensuring(restore(beforeLook(look, onProcess(look))), places.release)
          )
          return yield* restore(answerOfLook(looking))
        })
      ).pipe(
        Effect.timeoutOrElse({ duration: answerWithin, orElse: () => Effect.fail(new FaceCheckUnavailable()) }),
        measured,
        Effect.withSpan("PhotoPool.run")
      )
    return { run, hasRoom: places.hasRoom }
  })

/** TensorFlow's own library, where it is installed, is machine code, which Node lets a confined process load only when it is told. */
const hasNativePackage = (): boolean => {
  try {
    return createRequire(import.meta.url).resolve(nativePackage) !== ""
  } catch {
    return false
  }
}

/** What starts one process, which takes one photo at a time and ends with `running`. The log says once with what they look. */
const starting = ({ backend, program }: PhotoPoolOptions, running: Scope.Scope) =>
  Effect.map(ProcessStarter, (starter) => {
    let isSaid = false
    const answering = {
      program,
      parameters: backend === null ? [] : [backend],
      heapMegabytes: photoLimits.heapMegabytes,
      allowed: hasNativePackage() ? (["addons"] as const) : [],
      startWithin: photoLimits.startWithin,
      limits: { lineBytes: photoLimits.largestLineBytes, partsBytes: photoLimits.largestAnswerBytes },
      judgedReady: readyIn
    } as const
    return Effect.acquireRelease(Scope.fork(running), Scope.close).pipe(
      Effect.flatMap((scope) => Scope.provide(startAnswering(starter, answering), scope)),
      Effect.tap(({ ready }) => {
        if (isSaid) return Effect.void
        isSaid = true
        return Effect.logInfo(`Photos are looked at with ${ready.backend}`)
      })
    )
  })

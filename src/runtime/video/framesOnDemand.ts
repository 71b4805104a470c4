/**
 * Takes the frames of a video for people who look at it. A node reads one video at a time, and checks need the reader more
 * than looks do: so looks take at most one video at a time, all looks at one video share one taking, and nobody waits for
 * another video or for long. What is taken, and where it is kept, is the caller's to say.
 */
import { Deferred, Duration, Effect } from "effect"
import { FramesBusy } from "../../actors/checks/video/VideoFrames.ts"
import type { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import type { JourneyId } from "../../schema/ids.ts"
import { videoLimits } from "./limits.ts"
import { VideoReaderUnavailable } from "./VideoReader.ts"

type Failure = StoreUnavailable | FramesBusy

interface Taking {
  readonly videoId: string
  readonly done: Deferred.Deferred<void, Failure>
}

export const makeFramesOnDemand = Effect.fnUntraced(function* (
  take: (journeyId: JourneyId) => Effect.Effect<void, StoreUnavailable | VideoReaderUnavailable>
) {
  const scope = yield* Effect.scope
  let taking: Taking | null = null

  const begin = Effect.fnUntraced(function* (videoId: string, journeyId: JourneyId) {
    const begun: Taking = { videoId, done: yield* Deferred.make<void, Failure>() }
    taking = begun
    yield* take(journeyId).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(videoLimits.lookMillis),
        orElse: () => Effect.fail(new VideoReaderUnavailable({ reason: "LOOK_TOOK_TOO_LONG" }))
      }),
      Effect.catchTag("VideoReaderUnavailable", ({ reason }) =>
        Effect.andThen(
          Effect.logWarning("The frames of a video cannot be taken now", { journeyId, reason }),
          Effect.fail(new FramesBusy())
        )
      ),
      Effect.onExit((exit) => {
        taking = null
        return Deferred.done(begun.done, exit)
      }),
      Effect.forkIn(scope)
    )
    return begun
  })

  /** A look that gives up leaves the taking to the others. */
  return Effect.fnUntraced(function* (videoId: string, journeyId: JourneyId): Effect.fn.Return<void, Failure> {
    const before = taking
    if (before !== null && before.videoId !== videoId) return yield* new FramesBusy()
    const { done } = before ?? (yield* begin(videoId, journeyId))
    yield* Deferred.await(done)
  })
})

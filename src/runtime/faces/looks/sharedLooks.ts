/**
 * Looks at a photo once, however many callers ask, and however soon they give up. Callers who repeat a start share one
 * answer instead of filling the queue. On a machine that is too busy to answer in time the look goes on, so a repeated
 * request finds it further on or done. A verdict is kept for seconds only.
 */
import { Context, Effect, Exit, type Fiber, Result } from "effect"
import { FaceCheckUnavailable, type LookFailed } from "../../../actors/faces/FaceCheck.ts"
import { photoDigest } from "../../../actors/journey/actor/start/photoDigest.ts"
import { photoLimits } from "../limits.ts"
import { answerOfLook } from "./answerOfLook.ts"

interface Shared<A> {
  readonly fiber: Fiber.Fiber<A, LookFailed>
  waiting: number
}

/** How long a caller waits for an answer: as the limits say, unless a test on a busy machine waits longer. */
export const CallerWaits = Context.Reference("journeys/runtime/CallerWaits", {
  defaultValue: () => photoLimits.callerWaits
})

/** All who wait get the same object, so nobody may change it. */
export const sharedLooks = Effect.fnUntraced(function* <A>(look: (photo: Uint8Array) => Effect.Effect<A, LookFailed>) {
  const scope = yield* Effect.scope
  const callerWaits = yield* CallerWaits
  const running = new Map<string, Shared<A>>()

  /** Forgets a verdict at once when somebody has heard it, and anything that is no verdict. */
  const remember = (key: string, exit: Exit.Exit<A, LookFailed>) => {
    const forget = Effect.sync(() => running.delete(key))
    const failure = Exit.isFailure(exit) ? Result.getOrUndefined(Exit.findError(exit)) : undefined
    const isVerdict = Exit.isSuccess(exit) || (failure !== undefined && failure._tag !== "FaceCheckUnavailable")
    const isHeard = (running.get(key)?.waiting ?? 0) > 0
    return isVerdict && !isHeard ? Effect.forkIn(Effect.delay(forget, photoLimits.verdictKept), scope) : forget
  }

  const begin = Effect.fnUntraced(function* (photo: Uint8Array, key: string) {
    const looking = Effect.onExit(look(photo), (exit) => remember(key, exit))
    const shared: Shared<A> = { fiber: yield* Effect.forkIn(looking, scope), waiting: 0 }
    running.set(key, shared)
    return shared
  })

  return (photo: Uint8Array): Effect.Effect<A, LookFailed> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const key = photoDigest(photo)
        const shared = running.get(key) ?? (yield* begin(photo, key))
        shared.waiting += 1
        const answer = Effect.timeoutOrElse(answerOfLook(shared.fiber), {
          duration: callerWaits,
          orElse: () => Effect.fail(new FaceCheckUnavailable())
        })
        return yield* restore(answer).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              shared.waiting -= 1
            })
          )
        )
      })
    )
})

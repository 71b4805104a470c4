/** Waiting for something outside this process that tells nobody when it is done: a look now and then, for a while. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { embeddedLimits } from "./limits.ts"

/**
 * Whether `look` answered true before the limit passed. It counts the time itself, because a timeout would not end the
 * wait in a finalizer, which cannot be interrupted. The time is real: processes do not move with a test's clock.
 */
export const waitUntil = <E, R>(
  look: Effect.Effect<boolean, E, R>,
  limit: Duration.Duration
): Effect.Effect<boolean, E, R> =>
  realTime(
    Effect.gen(function* () {
      const end = (yield* Clock.currentTimeMillis) + Duration.toMillis(limit)
      while (!(yield* look)) {
        if ((yield* Clock.currentTimeMillis) >= end) return false
        yield* Effect.sleep(embeddedLimits.lookEvery)
      }
      return true
    })
  )

export const realTime = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, Clock.Clock, Clock.Clock.defaultValue())

/**
 * Waits for something outside this process that gives no signal when it is done, by looking again and again until a
 * limit.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { embeddedLimits } from "./limits.ts"

/**
 * Whether `look` answered true before the limit passed. The function counts the time itself, because a timeout would
 * not end the wait inside a finalizer, which cannot be interrupted. The time is real, because processes do not follow a
 * test's clock.
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

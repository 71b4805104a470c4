/**
 * Says in the log that requests are answered 503 because a store cannot be reached: at once, and then once a minute with how many
 * there were. Why the store cannot be reached is said by the store.
 */
import { Clock, Duration, Effect } from "effect"
import { httpLimits } from "../limits.ts"

const saidEvery = Duration.toMillis(httpLimits.unavailableSaidEvery)

/** Hears of each such request by its Request-Id. */
export const makeUnavailableNews = () => {
  let saidAt = Number.NEGATIVE_INFINITY
  let requests = 0
  return (requestId: string): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      requests += 1
      if (now - saidAt < saidEvery) return Effect.void
      const said = requests
      saidAt = now
      requests = 0
      return Effect.logWarning("The store is unavailable: requests are answered 503", {
        requests: said,
        lastRequestId: requestId
      })
    })
}

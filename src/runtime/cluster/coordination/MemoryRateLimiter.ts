/**
 * The rate limit of one node. Each bucket holds the times of its admitted requests of the last minute, oldest first, so that
 * any span of sixty seconds holds at most the limit. A bucket without a request for a minute is removed.
 *
 * When the clock steps back, time stands still for a bucket until the clock is where it was, as it does in Redis. When the clock steps
 * back further than a minute, that would lock callers out, so the bucket begins anew.
 */
import { Clock, Effect, Layer, Schedule } from "effect"
import { rateLimitSeconds } from "../../../http/server/limits.ts"
import { RateLimiter, type Allowance } from "../../../http/server/admission/RateLimiter.ts"

const windowMillis = rateLimitSeconds * 1000

/** Times in a ring that grows as it fills: a bucket takes the memory of the times it holds, not of its limit. */
class Times {
  #ring = new Float64Array(16)
  #first = 0
  #count = 0
  #newest = 0

  get count(): number {
    return this.#count
  }

  get oldest(): number {
    return this.#ring[this.#first] ?? 0
  }

  /** Drops what counts no more, and answers with the time that it is for the bucket. */
  moveOn(clock: number): number {
    if (this.#count > 0 && this.#newest > clock + windowMillis) this.#count = 0
    const now = this.#count > 0 ? Math.max(clock, this.#newest) : clock
    while (this.#count > 0 && this.oldest <= now - windowMillis) {
      this.#first = (this.#first + 1) % this.#ring.length
      this.#count -= 1
    }
    return now
  }

  add(time: number): void {
    if (this.#count === this.#ring.length) {
      const larger = new Float64Array(this.#count * 2)
      for (let at = 0; at < this.#count; at++) larger[at] = this.#ring[(this.#first + at) % this.#ring.length] ?? 0
      this.#ring = larger
      this.#first = 0
    }
    this.#ring[(this.#first + this.#count) % this.#ring.length] = time
    this.#newest = time
    this.#count += 1
  }
}

const resetSeconds = (times: Times, now: number): number =>
  times.count === 0 ? 0 : Math.ceil((times.oldest + windowMillis - now) / 1000)

export const layer = Layer.effect(
  RateLimiter,
  Effect.gen(function* () {
    const buckets = new Map<string, Times>()

    const ask = (bucket: string, limit: number, clock: number, isTaken: boolean): Allowance => {
      let times = buckets.get(bucket)
      const now = times?.moveOn(clock) ?? clock
      const admitted = (times?.count ?? 0) < limit
      if (admitted && isTaken) {
        times ??= new Times()
        buckets.set(bucket, times)
        times.add(now)
      }
      const count = times?.count ?? 0
      return {
        admitted,
        limit,
        remaining: Math.max(0, limit - count),
        resetSeconds: times === undefined ? 0 : resetSeconds(times, now)
      }
    }

    yield* Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const [bucket, times] of buckets) {
        times.moveOn(now)
        if (times.count === 0) buckets.delete(bucket)
      }
    }).pipe(Effect.repeat(Schedule.spaced(`${rateLimitSeconds} seconds`)), Effect.forkScoped)

    return RateLimiter.of({
      take: (bucket, limit) => Effect.map(Clock.currentTimeMillis, (clock) => ask(bucket, limit, clock, true)),
      look: (bucket, limit) => Effect.map(Clock.currentTimeMillis, (clock) => ask(bucket, limit, clock, false))
    })
  })
)

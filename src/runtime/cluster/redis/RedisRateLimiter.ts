/**
 * The rate limit of all nodes together, kept in Redis. While Redis does not answer, each node keeps the limit on its own, in
 * memory: no caller is refused because of Redis, and no caller waits for Redis twice.
 *
 * | Redis                        | who decides                                                                     |
 * |------------------------------|---------------------------------------------------------------------------------|
 * | answers                      | Redis; what it admits here is counted in memory, too                            |
 * | away, frozen or read-only    | memory: a node admits no more than the limit, what Redis admitted here included   |
 * | back for less than a minute  | both, because Redis does not know what was admitted without it                  |
 */
import { Clock, Duration, Effect, Layer } from "effect"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { currentMeter } from "../../../actors/kernel/Meter.ts"
import { rateLimitSeconds } from "../../../http/server/limits.ts"
import { RateLimiter, type Allowance } from "../../../http/server/RateLimiter.ts"
import * as MemoryRateLimiter from "../MemoryRateLimiter.ts"
import { redisLimits } from "../limits.ts"
import { askScript } from "./limitScript.ts"
import { keyOf, Redis } from "./Redis.ts"
import { script } from "./script.ts"

const windowMillis = rateLimitSeconds * 1000

const askAgainMillis = Duration.toMillis(redisLimits.rateLimitAgainAfter)

/** Characters of a bucket's name in Redis, 132 bits: two buckets never share a name by chance. */
const nameLength = 22

const make = Effect.gen(function* () {
  const { prompt } = yield* Redis
  const vault = yield* Vault
  const memory = yield* RateLimiter
  const meter = yield* currentMeter
  const scope = yield* Effect.scope
  const run = script(askScript)
  /** Epoch milliseconds; null while Redis answers. */
  let askAgainAt: number | null = null
  /** Epoch milliseconds from which on Redis knows of all requests of the last minute. */
  let completeFrom = 0

  /** An address is personal data, so Redis holds a keyed hash of the bucket, which is the same on every node. */
  const keyFor = (bucket: string) =>
    keyOf("limit", Buffer.from(vault.index("limit", bucket)).toString("base64url").slice(0, nameLength))

  const answered = Effect.gen(function* () {
    if (askAgainAt === null) return
    askAgainAt = null
    completeFrom = (yield* Clock.currentTimeMillis) + windowMillis
    yield* Effect.logInfo("Redis answers again: the rate limits hold for all nodes together")
  })

  const failed = Effect.gen(function* () {
    const wasAnswering = askAgainAt === null
    askAgainAt = (yield* Clock.currentTimeMillis) + askAgainMillis
    if (wasAnswering) yield* Effect.logWarning("Redis does not answer: this node keeps the rate limits on its own")
  })

  const askRedis = (bucket: string, limit: number, isTaken: boolean) =>
    Effect.tryPromise(() => run(prompt, [keyFor(bucket)], [limit, windowMillis, isTaken ? 1 : 0])).pipe(
      Effect.map((answer): Allowance => {
        // The shape of the answer stands in `limitScript.ts`.
        const [admitted, count, leavesIn] = answer as readonly [number, number, number]
        return {
          admitted: admitted === 1,
          limit,
          remaining: Math.max(0, limit - count),
          resetSeconds: Math.ceil(leavesIn / 1000)
        }
      }),
      Effect.tap(() => answered),
      Effect.catch(() => Effect.as(failed, null))
    )

  /** What Redis says, or null. Effect's CircuitBreaker would let a request wait for the answer that closes it. */
  const shared = Effect.fnUntraced(function* (bucket: string, limit: number, isTaken: boolean) {
    const asked = askRedis(bucket, limit, isTaken)
    if (askAgainAt === null) return yield* asked
    const now = yield* Clock.currentTimeMillis
    if (now >= askAgainAt) {
      askAgainAt = now + askAgainMillis
      yield* Effect.forkIn(asked, scope)
    }
    return null
  })

  const ask = (isTaken: boolean) =>
    Effect.fnUntraced(function* (bucket: string, limit: number) {
      const here = isTaken ? memory.take : memory.look
      const all = yield* shared(bucket, limit, isTaken)
      if (all === null) {
        meter.count("journeys_rate_limit_fallbacks_total", {})
        return yield* here(bucket, limit)
      }
      if (!all.admitted) return all
      if ((yield* Clock.currentTimeMillis) < completeFrom) {
        const alone = yield* here(bucket, limit)
        return alone.admitted && alone.remaining >= all.remaining ? all : alone
      }
      // Redis has decided; memory only remembers.
      if (isTaken) yield* memory.take(bucket, Number.POSITIVE_INFINITY)
      return all
    })

  return RateLimiter.of({ take: ask(true), look: ask(false) })
})

export const layer: Layer.Layer<RateLimiter, never, Redis | Vault> = Layer.effect(RateLimiter, make).pipe(
  Layer.provide(MemoryRateLimiter.layer)
)

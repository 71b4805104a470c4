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
import { RateLimiter, type Allowance } from "../../../http/server/admission/RateLimiter.ts"
import * as MemoryRateLimiter from "../coordination/MemoryRateLimiter.ts"
import { redisLimits } from "./limits.ts"
import { makeLimitAsking } from "./limitAsks.ts"
import { keyOf, Redis } from "./Redis.ts"

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
  const askAll = makeLimitAsking(prompt)
  const keys = new Map<string, string>()
  /** Epoch milliseconds; null while Redis answers. */
  let askAgainAt: number | null = null
  /** Epoch milliseconds from which on Redis knows of all requests of the last minute. */
  let completeFrom = 0

  /** An address is personal data, so Redis holds a keyed hash of the bucket, which is the same on every node. */
  const keyFor = (bucket: string): string => {
    const known = keys.get(bucket)
    if (known !== undefined) return known
    const key = keyOf("limit", Buffer.from(vault.index("limit", bucket)).toString("base64url").slice(0, nameLength))
    if (keys.size >= redisLimits.mostBucketNames) keys.clear()
    keys.set(bucket, key)
    return key
  }

  const answered = Effect.gen(function* () {
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
    Effect.flatMap(
      Effect.callback<Allowance | null>((resume) =>
        askAll({ key: keyFor(bucket), limit, isTaken }, (answer) => resume(Effect.succeed(answer)))
      ),
      (answer) =>
        answer === null
          ? Effect.as(failed, null)
          : askAgainAt === null
            ? Effect.succeed(answer)
            : Effect.as(answered, answer)
    )

  /** What Redis says, or null. Effect's CircuitBreaker would let a request wait for the answer that closes it. */
  const shared = (bucket: string, limit: number, isTaken: boolean) => {
    const asked = askRedis(bucket, limit, isTaken)
    if (askAgainAt === null) return asked
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (askAgainAt === null || now < askAgainAt) return Effect.succeed(null)
      askAgainAt = now + askAgainMillis
      return Effect.as(Effect.forkIn(asked, scope), null)
    })
  }

  const ask = (isTaken: boolean) => (bucket: string, limit: number) => {
    const here = isTaken ? memory.take : memory.look
    return Effect.flatMap(
      Effect.suspend(() => shared(bucket, limit, isTaken)),
      (all) => {
        if (all === null) {
          meter.count("journeys_rate_limit_fallbacks_total", {})
          return here(bucket, limit)
        }
        if (!all.admitted) return Effect.succeed(all)
        return Effect.flatMap(Clock.currentTimeMillis, (now) => {
          if (now < completeFrom) {
            return Effect.map(here(bucket, limit), (alone) =>
              alone.admitted && alone.remaining >= all.remaining ? all : alone
            )
          }
          // Redis has decided; memory only remembers.
          return isTaken ? Effect.as(memory.take(bucket, Number.POSITIVE_INFINITY), all) : Effect.succeed(all)
        })
      }
    )
  }

  return RateLimiter.of({ take: ask(true), look: ask(false) })
})

export const layer: Layer.Layer<RateLimiter, never, Redis | Vault> = Layer.effect(RateLimiter, make).pipe(
  Layer.provide(MemoryRateLimiter.layer)
)

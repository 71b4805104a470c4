/** What nodes share beside the cluster: rate limits, wake-ups, and whose turn it is to look. One node keeps it in memory. */
import { Effect, Layer } from "effect"
import * as MemoryLeadership from "./MemoryLeadership.ts"
import * as MemoryRateLimiter from "./MemoryRateLimiter.ts"
import * as Redis from "./redis/Redis.ts"
import * as RedisLeadership from "./redis/RedisLeadership.ts"
import * as RedisRateLimiter from "./redis/RedisRateLimiter.ts"
import * as RedisWakeUps from "./redis/RedisWakeUps.ts"
import { Settings } from "../Settings.ts"
import * as WakeUps from "./WakeUps.ts"

const alone = Layer.mergeAll(MemoryRateLimiter.layer, WakeUps.layerOneNode, MemoryLeadership.layer)

const together = Layer.mergeAll(RedisRateLimiter.layer, RedisWakeUps.layer, RedisLeadership.layer).pipe(
  Layer.provide(Redis.layer)
)

export const layer = Layer.unwrap(Effect.map(Settings, ({ redisUrl }) => (redisUrl === undefined ? alone : together)))

/**
 * What nodes coordinate beside the cluster: rate limits, changes of keys, wake-ups and leadership, and the list of the runners that
 * an operator sees. One node keeps everything in memory (`coordination/`); several nodes coordinate through Redis (`redis/`).
 */
import { Effect, Layer } from "effect"
import * as KeyNews from "./coordination/KeyNews.ts"
import * as MemoryLeadership from "./coordination/MemoryLeadership.ts"
import * as MemoryRateLimiter from "./coordination/MemoryRateLimiter.ts"
import * as Redis from "./redis/Redis.ts"
import * as RedisKeyNews from "./redis/RedisKeyNews.ts"
import * as RedisLeadership from "./redis/RedisLeadership.ts"
import * as RedisRateLimiter from "./redis/RedisRateLimiter.ts"
import * as RedisWakeUps from "./redis/RedisWakeUps.ts"
import * as RedisRunnerList from "./redis/RedisRunnerList.ts"
import * as OneRunner from "./coordination/OneRunner.ts"
import { Settings } from "../settings/Settings.ts"
import * as WakeUps from "./coordination/WakeUps.ts"

const oneNode = Layer.mergeAll(
  MemoryRateLimiter.layer,
  KeyNews.layerAlone,
  WakeUps.layerOneNode,
  MemoryLeadership.layer,
  OneRunner.layer
)

const manyNodes = Layer.mergeAll(
  RedisRateLimiter.layer,
  RedisKeyNews.layer,
  RedisWakeUps.layer,
  RedisLeadership.layer,
  RedisRunnerList.layer
).pipe(Layer.provide(Redis.layer))

export const layer = Layer.unwrap(
  Effect.map(Settings, ({ redisUrl }) => (redisUrl === undefined ? oneNode : manyNodes))
)

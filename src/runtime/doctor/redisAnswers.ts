/** What the Redis of an installation says about itself: its version, and whether it throws away what nodes keep in it. */
import { Effect } from "effect"
import { well, wrong, type Finding } from "../honesty/Finding.ts"
import * as RedisConnections from "../cluster/redis/Redis.ts"
import { tooOldRedis } from "../cluster/redis/redisCheck.ts"
import type { GivenSettings } from "../settings/Settings.ts"

const policyOf = (info: string): string => /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? "noeviction"

const ask = Effect.gen(function* () {
  const { patient } = yield* RedisConnections.Redis
  const [server, memory] = yield* Effect.tryPromise(() => Promise.all([patient.info("server"), patient.info("memory")]))
  const problem = tooOldRedis(server)
  const policy = policyOf(memory)
  return [
    problem === null ? well("redis", "it answers, and is new enough") : wrong("redis", problem, "upgrade Redis"),
    policy === "noeviction"
      ? well("redis memory", "it throws nothing away")
      : wrong("redis memory", `maxmemory-policy is ${policy}: leases may vanish`, "set maxmemory-policy noeviction")
  ]
})

export const redisAnswers = ({ redisUrl }: GivenSettings): Effect.Effect<ReadonlyArray<Finding>> =>
  redisUrl === undefined
    ? Effect.succeed([])
    : ask.pipe(
        Effect.provide(RedisConnections.layerOf(redisUrl)),
        Effect.orElseSucceed(() => [
          wrong("redis", "it does not answer", "see whether Redis runs there and takes this password")
        ])
      )

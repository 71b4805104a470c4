/**
 * Refuses to start with a Redis that is too old for what the nodes keep in it. A Redis that cannot be reached does not stop
 * the start: Redis holds no truth, and a node does without it what can be done. The log says so once, and GET /health/ready
 * says so all the time.
 */
import { Data, Effect, Layer } from "effect"
import { Settings } from "../../settings/Settings.ts"
import * as RedisConnections from "./Redis.ts"

/** This Redis cannot run what the nodes need. */
export class RedisError extends Data.TaggedError("RedisError")<{ readonly message: string }> {}

const oldest = { major: 6, minor: 2 }

const versionOf = (info: string): string | undefined => /^redis_version:(\S+)/m.exec(info)?.[1]

const isTooOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major < oldest.major || (major === oldest.major && minor < oldest.minor)
}

/** What is wrong with the version that this INFO names; null when it will do. */
export const tooOldRedis = (info: string): string | null => {
  const version = versionOf(info)
  return version !== undefined && isTooOld(version)
    ? `the Redis of REDIS_URL is ${version}; ${oldest.major}.${oldest.minor} is the oldest that will do`
    : null
}

const check = Effect.gen(function* () {
  const { patient } = yield* RedisConnections.Redis
  const info = yield* Effect.option(Effect.tryPromise(() => patient.info("server")))
  if (info._tag === "None") {
    return yield* Effect.logWarning("Redis cannot be reached: this node starts without it, and waits for it")
  }
  const problem = tooOldRedis(info.value)
  if (problem !== null) return yield* new RedisError({ message: problem })
})

export const layer = Layer.unwrap(
  Effect.map(Settings, ({ redisUrl }) =>
    redisUrl === undefined ? Layer.empty : Layer.provide(Layer.effectDiscard(check), RedisConnections.layer)
  )
)

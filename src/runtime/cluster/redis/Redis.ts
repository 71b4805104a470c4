/**
 * The connections to Redis. Redis is never the truth, so nothing fails for good without it: a caller hears soon that Redis
 * is away, and ioredis reconnects by itself. What is kept in Redis is the business of the other files of this folder.
 *
 * | client    | for                            | when Redis does not answer                                  |
 * |-----------|--------------------------------|--------------------------------------------------------------|
 * | `patient` | leases, which a reconnect saves | waits through a short reconnect, `patientWithin` a command   |
 * | `prompt`  | limits, wake-ups, caches       | fails at once, or after `promptWithin` when it is frozen     |
 * | `hearing` | what other nodes publish       | as `prompt`; who hears subscribes anew                       |
 */
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import type { Redis as Client, RedisOptions } from "ioredis"
import { Settings } from "../../settings/Settings.ts"
import { redisLimits } from "./limits.ts"

/** ioredis counts in milliseconds. */
const patientMillis = Duration.toMillis(redisLimits.patientWithin)
const promptMillis = Duration.toMillis(redisLimits.promptWithin)
const connectMillis = Duration.toMillis(redisLimits.connectWithin)
const reconnectMillis = Duration.toMillis(redisLimits.reconnectEvery)

/** All keys share one slot, so that scripts over several keys run on a Redis Cluster, too. */
export const keyOf = (...parts: ReadonlyArray<string>): string => ["{journeys}", ...parts].join(":")

/** Where the cluster keeps its runners and their leases; `runnerScripts.ts` says what is in them. */
export const clusterKeys = {
  runners: keyOf("cluster", "runners"),
  leases: keyOf("cluster", "leases"),
  fences: keyOf("cluster", "fences")
}

export class Redis extends Context.Service<
  Redis,
  {
    readonly patient: Client
    readonly prompt: Client
    readonly hearing: Client
  }
>()("journeys/runtime/Redis") {}

/** The constructor of ioredis needs `replyMapping` as a literal type, and nothing here sets it. */
type Options = Omit<RedisOptions, "replyMapping">

/** Redis 6.2 begins with the script that was refused, and newer ones with the word. */
export const isOfReplica = ({ message }: Error): boolean => /\bREADONLY\b/.test(message)

const always: Options = {
  connectTimeout: connectMillis,
  retryStrategy: () => reconnectMillis,
  // A restarted Redis may refuse for a moment while it loads its data, and a demoted one for good: its address may lead to the new primary.
  reconnectOnError: isOfReplica,
  lazyConnect: false,
  connectionName: "journeys"
}

/** A TLS connection that is left in its handshake fails once more, where ioredis listens no longer: that must not end the process. */
const leave = (made: Client): void => {
  made.stream?.on("error", () => {})
  made.disconnect()
}

/** Loaded by whoever has Redis: a node alone, and most commands, never do. */
const library = Effect.promise(() => import("ioredis"))

const client = (url: Redacted.Redacted, options: Options) =>
  Effect.acquireRelease(
    Effect.map(library, ({ Redis: Connection }) => {
      const made = new Connection(Redacted.value(url), { ...always, ...options })
      // Without a listener ioredis prints every failed attempt to connect. Each user of Redis logs by itself that Redis is away.
      made.on("error", () => {})
      return made
    }),
    (made) => Effect.sync(() => leave(made))
  )

/** Waits a moment for the connection, so that a node does not begin with the belief that Redis is away. */
const firstReady = (made: Client) =>
  Effect.timeoutOption(
    Effect.callback<void>((resume) => {
      if (made.status === "ready") resume(Effect.void)
      else made.once("ready", () => resume(Effect.void))
    }),
    redisLimits.connectWithin
  )

/** After the first second the connection is made in the background: a node starts without Redis. */
export const layerOf = (url: Redacted.Redacted): Layer.Layer<Redis> =>
  Layer.effect(
    Redis,
    Effect.gen(function* () {
      const failFast = { maxRetriesPerRequest: 0, enableOfflineQueue: false, commandTimeout: promptMillis }
      const made = {
        patient: yield* client(url, { maxRetriesPerRequest: null, commandTimeout: patientMillis }),
        prompt: yield* client(url, failFast),
        hearing: yield* client(url, { ...failFast, autoResubscribe: false })
      }
      yield* firstReady(made.prompt)
      return made
    })
  )

/** The connections of this process, made once. Only for a node that has REDIS_URL. */
export const layer: Layer.Layer<Redis, never, Settings> = Layer.unwrap(
  Effect.flatMap(Settings, ({ redisUrl }) =>
    redisUrl === undefined
      ? Effect.die(new Error("REDIS_URL is unset: nothing may ask for Redis"))
      : Effect.succeed(layerOf(redisUrl))
  )
)

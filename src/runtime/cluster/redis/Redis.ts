/**
 * The connections to Redis. Redis is never the truth, so nothing here makes anything fail for good: whoever asks hears
 * soon that Redis is away, and ioredis comes back by itself. What is kept there is the business of the other files.
 *
 * | client    | for                            | when Redis does not answer                                  |
 * |-----------|--------------------------------|--------------------------------------------------------------|
 * | `patient` | leases, which a reconnect saves | waits through a short reconnect, `patientWithin` a command   |
 * | `prompt`  | limits, wake-ups, caches       | fails at once, or after `promptWithin` when it is frozen     |
 */
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { Redis as Client, type RedisOptions } from "ioredis"
import { Settings } from "../../Settings.ts"
import { redisLimits } from "../limits.ts"

/** ioredis counts in milliseconds. */
const patientMillis = Duration.toMillis(redisLimits.patientWithin)
const promptMillis = Duration.toMillis(redisLimits.promptWithin)
const connectMillis = Duration.toMillis(redisLimits.connectWithin)
const reconnectMillis = Duration.toMillis(redisLimits.reconnectEvery)

/** All keys stand in one slot, so that scripts over several of them run on a Redis Cluster, too. */
export const keyOf = (...parts: ReadonlyArray<string>): string => ["{journeys}", ...parts].join(":")

export class Redis extends Context.Service<
  Redis,
  {
    readonly patient: Client
    readonly prompt: Client
  }
>()("journeys/runtime/Redis") {}

/** Its constructors want the shape of replies as a type that is known, and nothing here asks for another one. */
type Options = Omit<RedisOptions, "replyMapping">

const always: Options = {
  connectTimeout: connectMillis,
  retryStrategy: () => reconnectMillis,
  // A restarted Redis may refuse for a moment while it loads its data, and a demoted one for good.
  reconnectOnError: (error) => error.message.startsWith("READONLY"),
  lazyConnect: false,
  connectionName: "journeys"
}

const client = (url: Redacted.Redacted, options: Options) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const made = new Client(Redacted.value(url), { ...always, ...options })
      // Without a listener every failed attempt to connect is printed. Who needs Redis says so when it is missing.
      made.on("error", () => {})
      return made
    }),
    (made) => Effect.sync(() => made.disconnect())
  )

/** Waits for a Redis that is there, so that no node begins with the belief that it is away. */
const firstReady = (made: Client) =>
  Effect.timeoutOption(
    Effect.callback<void>((resume) => {
      if (made.status === "ready") resume(Effect.void)
      else made.once("ready", () => resume(Effect.void))
    }),
    redisLimits.connectWithin
  )

/** Goes on in the background after the first second: a node starts without Redis, and does without it what can be done. */
export const layerOf = (url: Redacted.Redacted): Layer.Layer<Redis> =>
  Layer.effect(
    Redis,
    Effect.gen(function* () {
      const failFast = { maxRetriesPerRequest: 0, enableOfflineQueue: false, commandTimeout: promptMillis }
      const made = {
        patient: yield* client(url, { maxRetriesPerRequest: null, commandTimeout: patientMillis }),
        prompt: yield* client(url, failFast)
      }
      yield* firstReady(made.prompt)
      return made
    })
  )

/** The connections of this process, once, for whoever found REDIS_URL set. */
export const layer: Layer.Layer<Redis, never, Settings> = Layer.unwrap(
  Effect.flatMap(Settings, ({ redisUrl }) =>
    redisUrl === undefined
      ? Effect.die(new Error("REDIS_URL is unset: nothing may ask for Redis"))
      : Effect.succeed(layerOf(redisUrl))
  )
)

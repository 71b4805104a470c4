/**
 * Who the runners of the cluster are and which shards each runner may run, kept in Redis: Effect Cluster's `RunnerStorage`.
 * The scripts are in `runnerScripts.ts`. Which runner ought to have which shard is the business of the cluster.
 *
 * A lease keeps two runners from working on one journey most of the time; the version in the journey's row does so always.
 * Therefore a lease may be lost at any moment, even together with all of Redis, without harm.
 *
 * | Redis                        | what happens here                                                                    |
 * |------------------------------|--------------------------------------------------------------------------------------|
 * | away or frozen               | calls fail in time; the cluster stops its actors before their leases end              |
 * | emptied, or restarted empty  | `refresh` tells what was lost; the cluster stops that, registers and acquires again   |
 * | there, PostgreSQL is not     | `refresh` gives the leases up if somebody else can work, and the cluster stops them    |
 * | back                         | registration and leases of a process that was away too long have ended and stay so   |
 */
import { Duration, Effect, Layer, References } from "effect"
import { RunnerStorage, ShardingConfig } from "effect/cluster"
import { PersistenceError } from "effect/cluster/ClusterError"
import { randomUUID } from "node:crypto"
import { Fitness } from "../coordination/fitness.ts"
import { clusterKeys as key, Redis } from "./Redis.ts"
import * as scripts from "./runnerScripts.ts"
import { scriptOn } from "./script.ts"

/** Answers of scripts that come in pairs. */
const pairs = (flat: ReadonlyArray<string | number>): ReadonlyArray<readonly [string, string | number]> => {
  const found: Array<readonly [string, string | number]> = []
  for (let at = 0; at + 1 < flat.length; at += 2) found.push([String(flat[at]), flat[at + 1] ?? ""])
  return found
}

/** The numbers of the shards; there is only one group. */
const shardNumbers = (shards: ReadonlyArray<readonly [string, unknown]>): string =>
  shards.map(([shard]) => shard.slice(shard.indexOf(":") + 1)).join(" ")

/** Runs scripts, and logs once when Redis goes away and once when it is back: the cluster asks every second or so. */
const makeAsking = Effect.gen(function* () {
  // The cluster itself is kept quiet (`manyNodes.ts`); these lines have the log level of the service.
  const level = yield* References.MinimumLogLevel
  const say = (line: Effect.Effect<void>) => Effect.provideService(line, References.MinimumLogLevel, level)
  let isThere = true
  const changed = (to: boolean, line: Effect.Effect<void>) =>
    Effect.suspend(() => {
      if (isThere === to) return Effect.void
      isThere = to
      return say(line)
    })
  const away = (cause: unknown) =>
    changed(
      false,
      Effect.logError(
        "Redis is away: no journey is woken until it is back, and a node without RUNNER_ADDRESS refuses changes of journeys",
        {
          // Only the message: the error itself carries the command.
          reason: cause instanceof Error ? cause.message : String(cause)
        }
      )
    )
  const back = changed(true, Effect.logWarning("Redis is back: shards are acquired again"))
  const ask = <A>(script: () => Promise<unknown>): Effect.Effect<A, PersistenceError> =>
    Effect.tryPromise({ try: script, catch: (cause) => new PersistenceError({ cause }) }).pipe(
      Effect.tap(() => back),
      Effect.tapError(({ cause }) => away(cause)),
      // The shapes of the answers stand in `runnerScripts.ts`; TypeScript cannot know them.
      Effect.map((answer) => answer as A)
    )
  return { ask, say }
})

const make = Effect.gen(function* () {
  const { patient } = yield* Redis
  const { shardLockExpiration } = yield* ShardingConfig.ShardingConfig
  const { isFit } = yield* Fitness
  const { ask, say } = yield* makeAsking
  const endsAfter = Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(shardLockExpiration)))
  const register = scriptOn(patient, scripts.register, [key.runners])
  const unregister = scriptOn(patient, scripts.unregister, [key.runners])
  const runners = scriptOn(patient, scripts.runners, [key.runners])
  const setHealth = scriptOn(patient, scripts.setHealth, [key.runners])
  const acquire = scriptOn(patient, scripts.acquire, [key.leases, key.fences])
  const refresh = scriptOn(patient, scripts.refresh, [key.leases, key.runners])
  const release = scriptOn(patient, scripts.release, [key.leases])

  // A process that starts again at the same address is another owner and may not use the leases of the process before.
  const incarnation = randomUUID()
  const ownerAt = (address: string) => `${address} ${incarnation}`

  /** Fencing number of each shard held here. */
  const fences = new Map<string, number>()
  let isAlone = true

  const acquired = (given: ReadonlyArray<readonly [string, string | number]>) => {
    const isNew = ([shard, fence]: (typeof given)[number]) => fences.get(shard) !== Number(fence)
    const byFence = Map.groupBy(given.filter(isNew), ([, fence]) => Number(fence))
    for (const [shard, fence] of given) fences.set(shard, Number(fence))
    return Effect.forEach(
      byFence,
      ([fence, shards]) =>
        say(Effect.logInfo("Shards acquired", { fence, count: shards.length, shards: shardNumbers(shards) })),
      { discard: true }
    )
  }

  const lost = (shards: ReadonlyArray<string>) => {
    const known = shards.filter((shard) => fences.delete(shard))
    return known.length === 0
      ? Effect.void
      : say(Effect.logWarning("Leases on shards were lost; their journeys stop here", { count: known.length }))
  }

  /** Two nodes at one address would each get messages that are meant for the other. */
  const notAlone = (address: string, registered: string) => {
    const wasAlone = isAlone
    isAlone = registered === "" || registered === ownerAt(address)
    return isAlone || !wasAlone
      ? Effect.void
      : say(
          Effect.logError("Another process has registered at this node's RUNNER_ADDRESS: each node needs its own", {
            address
          })
        )
  }

  return RunnerStorage.makeEncoded({
    getRunners: Effect.map(
      ask<ReadonlyArray<string>>(() => runners([])),
      (flat) => pairs(flat).map(([runner, healthy]) => [runner, healthy === "1"] as const)
    ),
    register: (address, runner, healthy) =>
      ask<number>(() => register([address, ownerAt(address), healthy ? 1 : 0, runner, endsAfter])),
    unregister: (address) => ask(() => unregister([address, ownerAt(address)])),
    setRunnerHealth: (address, healthy) => Effect.asVoid(ask(() => setHealth([address, healthy ? 1 : 0]))),
    acquire: (address, shards) =>
      ask<ReadonlyArray<string | number>>(() => acquire([ownerAt(address), endsAfter, ...shards])).pipe(
        Effect.map(pairs),
        Effect.tap(acquired),
        Effect.map((given) => given.map(([shard]) => shard))
      ),
    refresh: (address, shards) =>
      ask<ReadonlyArray<string>>(() =>
        refresh([address, ownerAt(address), endsAfter, isFit() ? 1 : 0, ...shards])
      ).pipe(
        Effect.flatMap(([registered = "", ...answered]) => {
          const held = answered[0] === "*" ? shards : answered
          const still = new Set(held)
          return notAlone(address, registered).pipe(
            Effect.andThen(lost(shards.filter((shard) => !still.has(shard)))),
            Effect.as(held)
          )
        })
      ),
    release: (address, shard) =>
      Effect.tap(
        Effect.asVoid(ask(() => release([ownerAt(address), shard]))),
        Effect.sync(() => fences.delete(shard))
      ),
    releaseAll: (address) =>
      Effect.tap(
        Effect.asVoid(ask(() => release([ownerAt(address)]))),
        Effect.sync(() => fences.clear())
      )
  })
})

export const layer: Layer.Layer<RunnerStorage.RunnerStorage, never, Redis | ShardingConfig.ShardingConfig> =
  Layer.effect(RunnerStorage.RunnerStorage, make)

/**
 * The list of runners as Redis has it: the registrations and the leases that have not ended, seen in one step by the clock of
 * Redis. Who registers and who takes which shard is the business of `RedisRunnerStorage.ts`.
 */
import { Effect, Layer } from "effect"
import { RunnerList, type ListedRunner } from "../../../actors/installation/RunnerList.ts"
import { StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { Settings } from "../../settings/Settings.ts"
import { shardLimits } from "../coordination/limits.ts"
import { clusterKeys, Redis } from "./Redis.ts"
import { overview } from "./runnerScripts.ts"
import { scriptOn } from "./script.ts"

/** The values of one runner, in the order in which the script answers them. */
const valuesOfRunner = 4

const runnersOf = (answer: ReadonlyArray<string | number>): ReadonlyArray<ListedRunner> =>
  Array.from({ length: answer.length / valuesOfRunner }, (_, at) => {
    const [address, healthy, since, shards] = answer.slice(at * valuesOfRunner, (at + 1) * valuesOfRunner)
    return {
      address: String(address),
      healthy: healthy === 1,
      since: since === 0 ? null : Number(since),
      shards: Number(shards)
    }
  }).toSorted((one, other) => one.address.localeCompare(other.address))

export const layer: Layer.Layer<RunnerList, never, Redis | Settings> = Layer.effect(
  RunnerList,
  Effect.gen(function* () {
    const { prompt } = yield* Redis
    const { runnerAddress } = yield* Settings
    const look = scriptOn(prompt, overview, [clusterKeys.runners, clusterKeys.leases])
    return RunnerList.of({
      nodes: "SEVERAL",
      answeredBy: runnerAddress === undefined ? null : `${runnerAddress.host}:${runnerAddress.port}`,
      shards: shardLimits.shards,
      runners: Effect.tryPromise({ try: () => look([]), catch: (cause) => new StoreUnavailable({ cause }) }).pipe(
        // The shape of the answer stands beside the script; TypeScript cannot know it.
        Effect.map((answer) => runnersOf(answer as ReadonlyArray<string | number>))
      )
    })
  })
)

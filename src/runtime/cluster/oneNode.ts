/** The cluster of one node: every actor lives here, and nobody needs to know which node runs which actor. */
import { Layer, Option } from "effect"
import { MessageStorage, RunnerHealth, RunnerAddress, RunnerStorage, Sharding, ShardingConfig } from "effect/cluster"
import { shardLimits } from "./coordination/limits.ts"
import { memoryLimits } from "./limits.ts"
import * as WatchedRunners from "./watchedRunners.ts"

export const layer = Sharding.layer.pipe(
  Layer.provide([WatchedRunners.layerLocal, RunnerHealth.layerNoop]),
  Layer.provide([MessageStorage.layerNoop, RunnerStorage.layerMemory]),
  Layer.provide(
    ShardingConfig.layer({
      runnerAddress: Option.some(RunnerAddress.make("localhost", 1)),
      // Otherwise each message to an actor is encoded and decoded, although it never leaves the process.
      simulateRemoteSerialization: false,
      shardsPerGroup: shardLimits.shards,
      maxResidentEntities: memoryLimits.mostActors
    })
  )
)

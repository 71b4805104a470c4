/** The cluster of one node: every journey's actor lives here, nothing is shared, nothing is stored about who runs what. */
import { Layer, Option } from "effect"
import { MessageStorage, RunnerHealth, RunnerAddress, RunnerStorage, Sharding, ShardingConfig } from "effect/cluster"
import { mostActorsInMemory, shards } from "./memoryLimits.ts"
import * as WatchedRunners from "./watchedRunners.ts"

export const layer = Sharding.layer.pipe(
  Layer.provide([WatchedRunners.layerLocal, RunnerHealth.layerNoop]),
  Layer.provide([MessageStorage.layerNoop, RunnerStorage.layerMemory]),
  Layer.provide(
    ShardingConfig.layer({
      runnerAddress: Option.some(RunnerAddress.make("localhost", 1)),
      simulateRemoteSerialization: false,
      shardsPerGroup: shards,
      maxResidentEntities: mostActorsInMemory
    })
  )
)

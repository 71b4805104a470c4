/** The list of runners where there is one node: that node holds every shard for as long as its process lives. */
import { Clock, Effect, Layer } from "effect"
import { RunnerList } from "../../../actors/installation/RunnerList.ts"
import { shardLimits } from "./limits.ts"

export const layer: Layer.Layer<RunnerList> = Layer.effect(
  RunnerList,
  Effect.map(Clock.currentTimeMillis, (since) =>
    RunnerList.of({
      nodes: "ONE",
      answeredBy: null,
      shards: shardLimits.shards,
      runners: Effect.succeed([{ address: null, healthy: true, since, shards: shardLimits.shards }])
    })
  )
)

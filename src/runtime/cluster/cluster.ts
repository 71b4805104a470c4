/**
 * Which cluster this node belongs to. Without REDIS_URL the node is a cluster of its own. With it the node belongs to the
 * cluster of all nodes that share the Redis: a runner if RUNNER_ADDRESS is set, otherwise a client.
 */
import { Effect, Layer } from "effect"
import * as manyNodes from "./manyNodes.ts"
import * as oneNode from "./oneNode.ts"
import * as Redis from "./redis/Redis.ts"
import { Settings } from "../Settings.ts"

const announced = ({ redisUrl, runnerAddress }: Settings["Service"]): Effect.Effect<void> => {
  if (redisUrl === undefined) return Effect.void
  return runnerAddress === undefined
    ? Effect.logWarning("RUNNER_ADDRESS is unset: this node takes requests and runs no journeys; other nodes must")
    : Effect.logInfo("This node is a runner of the cluster", { runnerAddress })
}

export const layer = Layer.unwrap(
  Effect.map(Effect.tap(Settings, announced), ({ redisUrl, runnerAddress }) =>
    redisUrl === undefined ? oneNode.layer : Layer.provide(manyNodes.layerOf(runnerAddress), Redis.layer)
  )
)

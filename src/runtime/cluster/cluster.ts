/** Which cluster this node is part of: its own, of one, or that of the nodes that share a Redis; there a runner or a client. */
import { Effect, Layer } from "effect"
import * as manyNodes from "./manyNodes.ts"
import * as oneNode from "./oneNode.ts"
import * as Redis from "./redis/Redis.ts"
import { Settings } from "../Settings.ts"

const told = ({ redisUrl, runnerAddress }: Settings["Service"]): Effect.Effect<void> => {
  if (redisUrl === undefined) return Effect.void
  return runnerAddress === undefined
    ? Effect.logWarning("RUNNER_ADDRESS is unset: this node takes requests and runs no journeys; other nodes must")
    : Effect.logInfo("This node is a runner of the cluster", { runnerAddress })
}

export const layer = Layer.unwrap(
  Effect.map(Effect.tap(Settings, told), ({ redisUrl, runnerAddress }) =>
    redisUrl === undefined ? oneNode.layer : Layer.provide(manyNodes.layerOf(runnerAddress), Redis.layer)
  )
)

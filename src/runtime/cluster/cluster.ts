/**
 * Which cluster this node belongs to. Without REDIS_URL the node is a cluster of its own. With it the node belongs to the
 * cluster of all nodes that share the Redis: a runner if RUNNER_ADDRESS is set, otherwise a client.
 */
import { Effect, Layer, Redacted } from "effect"
import { TakesMessages } from "../../actors/journey/actor/JourneyMailbox.ts"
import * as Fitness from "./coordination/fitness.ts"
import * as manyNodes from "./manyNodes.ts"
import { proofLimits } from "./limits.ts"
import { nodeProof, type NodeProof } from "./nodeProof.ts"
import * as oneNode from "./oneNode.ts"
import * as Redis from "./redis/Redis.ts"
import { Settings } from "../settings/Settings.ts"

const announced = Effect.fnUntraced(function* ({ clusterSecret, redisUrl, runnerAddress }: Settings["Service"]) {
  if (redisUrl === undefined) return
  yield* runnerAddress === undefined
    ? Effect.logWarning("RUNNER_ADDRESS is unset: this node takes requests and runs no journeys; other nodes must")
    : Effect.logInfo("This node is a runner of the cluster", { runnerAddress })
  if (clusterSecret === undefined) {
    yield* Effect.logInfo(
      "CLUSTER_SECRET is unset: the nodes are on this machine and know each other by ENCRYPTION_KEY"
    )
  }
})

/**
 * The settings refuse nodes on several machines without a secret; nodes of one machine share the key of the database. While that key changes,
 * node by node, a node takes the other key, too.
 */
const proofOf = ({ clusterSecret, encryptionKey, retiredEncryptionKeys }: Settings["Service"]): NodeProof => {
  if (clusterSecret === undefined) {
    return nodeProof(
      Redacted.value(encryptionKey),
      ...Redacted.value(retiredEncryptionKeys).slice(0, proofLimits.mostKeys - 1)
    )
  }
  const [first = "", ...others] = Redacted.value(clusterSecret)
  return nodeProof(first, ...others)
}

/** A runner takes messages to every journey while it reaches the database: who else could do more for them? */
const takesMessages = Layer.effect(
  TakesMessages,
  Effect.map(Fitness.Fitness, ({ isFit }) => isFit)
)

/** A runner looks whether it can work; others see it in its health. */
const member = (settings: Settings["Service"]) => {
  const nodes = Layer.provide(manyNodes.layerOf(settings.runnerAddress, proofOf(settings)), Redis.layer)
  return settings.runnerAddress === undefined
    ? nodes
    : Layer.merge(nodes, takesMessages).pipe(Layer.provideMerge(Fitness.layer))
}

export const layer = Layer.unwrap(
  Effect.map(Effect.tap(Settings, announced), (settings) =>
    settings.redisUrl === undefined ? oneNode.layer : member(settings)
  )
)

/**
 * The cluster of many nodes: the actors of journeys and endpoints are spread over the runners, found through Redis and
 * reached over TLS, in which both ends prove to be nodes (`nodeProof.ts`). A client sends messages and runs no actors. All
 * settings of the cluster are given here; none is read from the environment, where `HOST` and `PORT` mean something else.
 *
 * When a runner dies, its leases end after at most `leaseLasts`, the others see within `lookEvery` that it is gone, and
 * try every second to get its shards: due work goes on within 10 s. A runner that is told to stop hands over at once.
 */
import { Effect, Layer, Option, References } from "effect"
import {
  MessageStorage,
  RunnerAddress,
  RunnerHealth,
  Runners,
  RunnerServer,
  Sharding,
  ShardingConfig
} from "effect/cluster"
import { RpcSerialization, RpcServer } from "effect/rpc"
import { EventEmitter } from "node:events"
import * as JourneyDoor from "../../actors/journey/actor/JourneyDoor.ts"
import * as JourneyResidents from "../../actors/journey/actor/JourneyResidents.ts"
import { shardLimits } from "./coordination/limits.ts"
import { clusterLimits, memoryLimits } from "./limits.ts"
import type { NodeProof } from "./nodeProof.ts"
import * as ProvenListener from "./provenListener.ts"
import * as ProvenStart from "./provenStart.ts"
import type { Address } from "./provenStart.ts"
import * as RedisRunnerStorage from "./redis/RedisRunnerStorage.ts"
import * as WatchedRunners from "./watchedRunners.ts"
import { isLoopback } from "../settings/isLoopback.ts"

const config = (address: Address | undefined) =>
  ShardingConfig.layer({
    runnerAddress: Option.map(Option.fromUndefinedOr(address), ({ host, port }) => RunnerAddress.make(host, port)),
    shardsPerGroup: shardLimits.shards,
    shardLockExpiration: clusterLimits.leaseLasts,
    shardLockRefreshInterval: clusterLimits.leaseRefreshEvery,
    refreshAssignmentsInterval: clusterLimits.lookEvery,
    entityMessagePollInterval: clusterLimits.tryShardsEvery,
    runnerHealthCheckInterval: clusterLimits.pingEvery,
    sendRetryInterval: clusterLimits.sendAgainEvery,
    entityTerminationTimeout: clusterLimits.actorsEndWithin,
    maxResidentEntities: memoryLimits.mostActors,
    // Otherwise each message to an actor of this very node is encoded and decoded twice.
    simulateRemoteSerialization: false
  })

const health = Layer.effect(
  RunnerHealth.RunnerHealth,
  Effect.map(Runners.Runners, (runners) => ({
    isAlive: (address) =>
      runners
        .ping(address)
        .pipe(
          Effect.timeout(clusterLimits.pingWithin),
          Effect.retry({ times: clusterLimits.pingRetries }),
          Effect.isSuccess
        )
  }))
)

/**
 * While Redis is away the cluster would log it every second, and the storage has logged it once. The actors keep the log
 * level of the service: this layer passes that level on.
 */
const quiet = Layer.succeed(References.MinimumLogLevel, "Error")
const levelOfTheService = Layer.effect(References.MinimumLogLevel, References.MinimumLogLevel)

/** Listens on every address, because the address that others know may not be this machine's own; loopback stays loopback. */
const listenOptions = ({ host, port }: Address) => (isLoopback(host) ? { host, port } : { port })

const runner = RunnerServer.layer.pipe(
  Layer.provide(RpcServer.layerProtocolSocketServer),
  Layer.provide(JourneyDoor.layerForOtherNodes),
  // The same residents that this node's own messages go to: a layer is built once.
  Layer.provide(JourneyResidents.layer),
  Layer.provideMerge(Sharding.layer),
  Layer.provide(health),
  Layer.provide(quiet)
)

const client = Sharding.layer.pipe(Layer.provide(RunnerHealth.layerNoop), Layer.provide(quiet))

/**
 * Each message that waits to be written to another node listens to the socket. Many listeners are no leak here, although
 * Node would print that they are.
 */
const manyWaitForOneSocket = Layer.effectDiscard(
  Effect.sync(() => {
    EventEmitter.defaultMaxListeners = Infinity
  })
)

/** Listens and registers once the other runners have taken its proof. */
const provenRunner = (address: Address, proof: NodeProof) =>
  runner.pipe(
    Layer.provide(ProvenListener.layerOf(listenOptions(address), proof)),
    Layer.provide(ProvenStart.layerOf(address, proof))
  )

/** A runner at this address, or a client if there is none. */
export const layerOf = (address: Address | undefined, proof: NodeProof) =>
  (address === undefined ? client : provenRunner(address, proof)).pipe(
    Layer.merge(levelOfTheService),
    Layer.provide(manyWaitForOneSocket),
    Layer.provide(WatchedRunners.layerRemote),
    Layer.provide(WatchedRunners.clientProtocol(proof)),
    Layer.provide(RpcSerialization.layerSchemaBinary({ maxFrameSize: clusterLimits.largestMessageBytes })),
    Layer.provide(MessageStorage.layerNoop),
    // Visible outside, because GET /health/ready reports which runners there are.
    Layer.provideMerge(RedisRunnerStorage.layer),
    Layer.provide(config(address))
  )

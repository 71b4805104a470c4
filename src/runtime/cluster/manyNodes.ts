/**
 * The cluster of many nodes: journeys' and endpoints' actors spread over the runners, found through Redis, reached over
 * TCP. A client sends messages and runs no actors. Everything that matters is said here; nothing of it is read from the
 * environment, where `HOST` and `PORT` mean something else.
 *
 * When a runner dies, its leases end after at most `leaseEnds`, the others see within `looksAgain` that it is gone, and
 * try every second to get its shards: what is due goes on within 10 s. One that is told to stop hands over at once.
 */
import { NodeSocketServer } from "@effect/platform-node"
import { Duration, Effect, Layer, Option, References } from "effect"
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
import { mostActorsInMemory, shards } from "./memoryLimits.ts"
import * as RedisRunnerStorage from "./redis/RedisRunnerStorage.ts"
import * as WatchedRunners from "./watchedRunners.ts"

/** Short enough for a take-over within 10 s, long enough to outlive a pause of the process or a reconnect. */
const leaseEnds = Duration.seconds(6)

/** Four times in the life of a lease; a call that takes longer has failed, and the actors stop before it ends. */
const leaseRefreshed = Duration.millis(1500)

/** Between looks at who the runners are. */
const looksAgain = Duration.millis(500)

/** Between tries for shards that somebody else still holds, and after a try that failed. */
const triesAgain = Duration.seconds(1)

/** Between checks whether runners can be reached by others; a runner that is dead has no lease any more, either. */
const pingsAgain = Duration.seconds(2)

/** A ping that takes longer has failed. A busy node answers late, and moving its shards would make it worse. */
const pingAnswered = Duration.seconds(2)

/** Pings after the first that must fail before a runner that renews its leases counts as unreachable. */
const pingsMore = 2

/** Actors get this long to finish the message they are at; a commit is certain after 4 s, an attempt cut off after 5. */
const actorsEnd = Duration.seconds(5)

/** Between tries to send a message whose shard is between two runners. */
const sendsAgain = Duration.millis(100)

/** Bytes of one message between nodes. A photo of 5 MB is 6.7 MB in base64; the clean one is smaller. */
const largestMessage = 8 * 1024 * 1024

export interface Address {
  readonly host: string
  readonly port: number
}

const config = (address: Address | undefined) =>
  ShardingConfig.layer({
    runnerAddress: Option.map(Option.fromUndefinedOr(address), ({ host, port }) => RunnerAddress.make(host, port)),
    shardsPerGroup: shards,
    shardLockExpiration: leaseEnds,
    shardLockRefreshInterval: leaseRefreshed,
    refreshAssignmentsInterval: looksAgain,
    entityMessagePollInterval: triesAgain,
    runnerHealthCheckInterval: pingsAgain,
    sendRetryInterval: sendsAgain,
    entityTerminationTimeout: actorsEnd,
    maxResidentEntities: mostActorsInMemory,
    // Otherwise each message to an actor of this very node is encoded and decoded twice.
    simulateRemoteSerialization: false
  })

const health = Layer.effect(
  RunnerHealth.RunnerHealth,
  Effect.map(Runners.Runners, (runners) => ({
    isAlive: (address) =>
      runners.ping(address).pipe(Effect.timeout(pingAnswered), Effect.retry({ times: pingsMore }), Effect.isSuccess)
  }))
)

/** Everywhere, because the address others know may be none of this machine's own; a node on loopback stays there. */
const listener = ({ host, port }: Address) =>
  NodeSocketServer.layer(/^(?:localhost|127\.[\d.]+|::1)$/.test(host) ? { host, port } : { port })

const runner = (address: Address) =>
  RunnerServer.layer.pipe(
    Layer.provide(RpcServer.layerProtocolSocketServer),
    Layer.provide(listener(address)),
    Layer.provideMerge(Sharding.layer),
    Layer.provide(health)
  )

const client = Layer.provide(Sharding.layer, RunnerHealth.layerNoop)

/**
 * While Redis is away the cluster repeats every second that it is; the storage has said so once. The actors keep the
 * level of the service: it goes out of here as it came in.
 */
const quiet = Layer.succeed(References.MinimumLogLevel, "Error")
const levelOfTheService = Layer.effect(References.MinimumLogLevel, References.MinimumLogLevel)

/**
 * Each message that waits for its turn to be written to another node listens to the socket: many of them are no leak,
 * which is what Node would print.
 */
const manyWaitForOneSocket = Layer.effectDiscard(
  Effect.sync(() => {
    EventEmitter.defaultMaxListeners = Infinity
  })
)

/** A runner at this address, or a client if there is none. */
export const layerOf = (address: Address | undefined) =>
  (address === undefined ? client : runner(address)).pipe(
    Layer.provide(quiet),
    Layer.merge(levelOfTheService),
    Layer.provide(manyWaitForOneSocket),
    Layer.provide(WatchedRunners.layerRemote),
    Layer.provide(WatchedRunners.clientProtocol),
    Layer.provide(RpcSerialization.layerSchemaBinary({ maxFrameSize: largestMessage })),
    Layer.provide(MessageStorage.layerNoop),
    // Seen outside, because GET /health/ready tells which runners there are.
    Layer.provideMerge(RedisRunnerStorage.layer),
    Layer.provide(config(address))
  )

/**
 * Counts, in the `SendAttempts` of a message, the attempts that may have reached its actor. An attempt counts when it enters
 * an actor of this node, and when it is written to the connection to another node. An attempt that the actor's node refused,
 * or that never got so far, has certainly not arrived.
 */
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { Duration, Effect, Latch, Layer, Semaphore } from "effect"
import { Runners, Snowflake } from "effect/cluster"
import { RpcClient, RpcClientError, RpcSerialization } from "effect/rpc"
import { Socket } from "effect/socket"
import { CurrentSendAttempts } from "../../actors/journey/actor/SendAttempts.ts"
import { clusterLimits } from "./limits.ts"
import { clientOptions, type NodeProof } from "./nodeProof.ts"

const { openWithin, silentFor } = clusterLimits

const counted = Effect.flatMap(CurrentSendAttempts, (attempts) =>
  Effect.sync(() => {
    if (attempts !== null) attempts.mayHaveArrived += 1
  })
)

/** Answers by which the actor's node says that it did not take the message: the attempt has not arrived. */
const refusals = new Set<string>(["MailboxFull", "EntityNotAssignedToRunner", "AlreadyProcessingMessage"])

const unlessRefused = <A, E extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentSendAttempts, (attempts) => {
    if (attempts === null) return attempt
    const before = attempts.mayHaveArrived
    return Effect.tapError(attempt, ({ _tag }) =>
      Effect.sync(() => {
        if (refusals.has(_tag)) attempts.mayHaveArrived = before
      })
    )
  })

const watched = (runners: Runners.Runners["Service"]): Runners.Runners["Service"] => ({
  ...runners,
  sendLocal: (options) => unlessRefused(Effect.andThen(counted, runners.sendLocal(options))),
  send: (options) => unlessRefused(runners.send(options))
})

/** For one node. */
export const layerLocal = Layer.effect(Runners.Runners, Effect.map(Runners.makeNoop, watched)).pipe(
  Layer.provide(Snowflake.layerGenerator)
)

/** For a node of several, over `clientProtocol`. */
export const layerRemote = Layer.effect(Runners.Runners, Effect.map(Runners.makeRpc, watched)).pipe(
  Layer.provide(Snowflake.layerGenerator)
)

const notOpen = new RpcClientError.RpcClientError({
  reason: new Socket.SocketOpenError({ kind: "Timeout", cause: new Error("the connection did not open in time") })
})

/**
 * The connection to one node. Nothing is written before it is open and both ends have proven to be nodes: what failed until
 * then was certainly not sent.
 */
const protocolTo = Effect.fnUntraced(function* (
  { host, port }: { readonly host: string; readonly port: number },
  proof: NodeProof
) {
  const open = Latch.makeUnsafe()
  const opened = Effect.timeoutOrElse(open.await, { duration: openWithin, orElse: () => Effect.fail(notOpen) })
  // One write at a time. If the other node does not read, further messages wait here and count as not sent.
  const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
  const socket = yield* NodeSocket.makeTls({
    ...clientOptions(proof),
    openTimeout: openWithin,
    timeout: Duration.toMillis(silentFor),
    host,
    port
  })
  const protocol = yield* RpcClient.makeProtocolSocket().pipe(
    Effect.provideService(Socket.Socket, socket),
    Effect.provideService(RpcClient.ConnectionHooks, { onConnect: open.open, onDisconnect: open.close })
  )
  return RpcClient.Protocol.of({
    ...protocol,
    send: (clientId, request, transferables) => {
      const sent = protocol.send(clientId, request, transferables)
      if (request._tag !== "Request") return inTurn(sent)
      const written = inTurn(Effect.andThen(counted, sent))
      return Effect.suspend(() => (open.isOpen() ? written : Effect.andThen(opened, written)))
    }
  })
})

export const clientProtocol = (proof: NodeProof) =>
  Layer.effect(
    Runners.RpcClientProtocol,
    Effect.map(RpcSerialization.RpcSerialization, (serialization) => ({
      codecFor: serialization.codecFor,
      make: (address) =>
        Effect.provideService(
          Effect.orDie(protocolTo(address, proof)),
          RpcSerialization.RpcSerialization,
          serialization
        )
    }))
  )

/**
 * Where other nodes connect to this one. A connection is handed on once its other end has proven to be a node
 * (`nodeProof.ts`); nothing that it sends before is read. Whoever cannot prove it, or says nothing, is cut off and leaves a
 * line in the log, one for all of a minute. Connections that have proven nothing yet are bounded: a new one puts out the oldest.
 */
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { Deferred, Duration, Effect, Latch, Layer, Queue } from "effect"
import * as NetAddress from "effect/net/NetAddress"
import { Socket, SocketServer } from "effect/socket"
import type * as Net from "node:net"
import * as Tls from "node:tls"
import { proofLimits } from "./limits.ts"
import { serverOptions, type NodeProof } from "./nodeProof.ts"

interface Limits {
  readonly mostUnproven: number
  readonly proveWithin: Duration.Duration
  readonly refusalsLoggedEvery: Duration.Duration
}

/** Counts who was refused, and says so at once and then at most once a minute. */
const makeRefusals = Effect.fnUntraced(function* ({ refusalsLoggedEvery }: Limits) {
  const latch = Latch.makeUnsafe()
  let count = 0
  let last = ""
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.gen(function* () {
        yield* latch.await
        latch.closeUnsafe()
        const refused = count
        count = 0
        yield* Effect.logWarning(
          "Connections to RUNNER_ADDRESS were refused: they did not prove to be nodes of this installation (CLUSTER_SECRET)",
          { refused, last }
        )
        yield* Effect.sleep(refusalsLoggedEvery)
      })
    )
  )
  return (reason: string) => {
    count += 1
    last = reason
    latch.openUnsafe()
  }
})

const nameOf = ({ remoteAddress, remotePort }: Net.Socket) => `${remoteAddress} ${remotePort}`

/** Keeps those who have proven nothing yet, the oldest first. */
const watchUnproven = (server: Tls.Server, { mostUnproven }: Limits, refused: (reason: string) => void) => {
  const unproven = new Map<string, Net.Socket>()
  server.on("connection", (socket: Net.Socket) => {
    const name = nameOf(socket)
    unproven.set(name, socket)
    socket.once("close", () => {
      if (unproven.get(name) === socket) unproven.delete(name)
    })
    for (const [first, oldest] of unproven) {
      if (unproven.size <= mostUnproven) break
      unproven.delete(first)
      oldest.destroy()
      refused("TOO_MANY")
    }
  })
  server.on("secureConnection", (socket) => unproven.delete(nameOf(socket)))
  return unproven
}

/** The code of RFC 6455 that the sockets of Effect use for a connection that was closed on purpose. */
const closedNormally = 1000

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : error.name)

const openError = (cause: Error) =>
  new SocketServer.SocketServerError({ reason: new SocketServer.SocketServerOpenError({ cause }) })

const alreadyClosed = new Socket.SocketError({ reason: new Socket.SocketCloseError({ code: closedNormally }) })

/** The connection as the cluster reads and writes it; closed when the cluster has no use for it any more. */
const socketOf = (connection: Tls.TLSSocket) =>
  NodeSocket.fromDuplex(
    Effect.acquireRelease(
      Effect.suspend(() => (connection.destroyed ? Effect.fail(alreadyClosed) : Effect.succeed(connection))),
      () => Effect.sync(() => connection.destroySoon())
    )
  )

const make = Effect.fnUntraced(function* (at: Net.ListenOptions, proof: NodeProof, limits: Limits) {
  const refused = yield* makeRefusals(limits)
  const proven = yield* Queue.unbounded<Tls.TLSSocket>()
  const failed = Deferred.makeUnsafe<never, SocketServer.SocketServerError>()
  const server = Tls.createServer({
    ...serverOptions(proof),
    handshakeTimeout: Duration.toMillis(limits.proveWithin),
    keepAlive: true,
    noDelay: true
  })
  const unproven = watchUnproven(server, limits, refused)
  server.on("tlsClientError", (error, connection) => {
    refused(codeOf(error))
    connection.destroy()
  })
  server.on("secureConnection", (connection) => {
    // A connection that breaks before anybody reads it must not end the process.
    connection.on("error", () => {})
    connection.pause()
    Queue.offerUnsafe(proven, connection)
  })
  server.on("error", (error) => Deferred.doneUnsafe(failed, Effect.fail(openError(error))))
  yield* Effect.addFinalizer(() =>
    Effect.flatMap(Queue.clear(proven), (unread) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const connection of [...unproven.values(), ...unread]) connection.destroy()
      })
    )
  )
  yield* Effect.callback<void>((resume) => {
    server.listen(at, () => resume(Effect.void))
  }).pipe(Effect.raceFirst(Deferred.await(failed)))
  const bound = server.address()
  const { address, port } = typeof bound === "object" && bound !== null ? bound : { address: "", port: 0 }
  return SocketServer.SocketServer.of({
    address: yield* Effect.fromResult(NetAddress.inetAddressFromIpString(address, port)).pipe(Effect.orDie),
    run: (handler) =>
      Queue.take(proven).pipe(
        Effect.flatMap((connection) =>
          Effect.forkScoped(Effect.ignoreCause(Effect.flatMap(socketOf(connection), handler), { log: "Unhandled" }))
        ),
        Effect.forever,
        Effect.scoped
      )
  })
})

export const layerOf = (at: Net.ListenOptions, proof: NodeProof, limits: Limits = proofLimits) =>
  Layer.effect(SocketServer.SocketServer, make(at, proof, limits))

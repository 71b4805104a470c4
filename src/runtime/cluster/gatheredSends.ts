/**
 * The sending end of `GatheredMessages.ts`: what is sent to the journeys of one node within one turn of the event loop goes there together.
 * Each sender waits for its own answer, and hears the same as if its message had gone alone.
 */
import { Cause, Clock, Effect, Exit, FiberSet, Queue, RcMap, Schema } from "effect"
import { ClusterError, Message, Reply, Runners, type Envelope, type RunnerAddress } from "effect/cluster"
import { RpcClient, type Rpc } from "effect/rpc"
import { askOnTheWire, JourneyEntity, type JourneyRequest } from "../../actors/journey/actor/JourneyEntity.ts"
import { CurrentSendAttempts, type SendAttempts } from "../../actors/journey/actor/SendAttempts.ts"
import { clusterLimits } from "./limits.ts"
import { GatheredMessages, type MessageEnd } from "./GatheredMessages.ts"

type Cluster = Runners.Runners["Service"]
type SendError = Effect.Error<ReturnType<Cluster["send"]>>
type Address = RunnerAddress.RunnerAddress
type Outgoing = Message.OutgoingRequest<Rpc.Any>

/** A message that waits for its answer. */
interface Sent {
  readonly message: Outgoing
  readonly request: Envelope.PartialRequest
  readonly attempts: ReadonlyArray<SendAttempts>
  readonly hear: (answer: Effect.Effect<void, SendError>) => void
}

/** A photo is as large as hundreds of other messages, and they would wait for it. */
const hasPhoto = (message: Outgoing): boolean =>
  (message.envelope.payload as unknown as JourneyRequest).sealedPhoto !== null

/** The message, if it is one to a journey and small; the cluster's own types say nothing of what a message holds. */
const thatGoesAlong = (message: unknown): Outgoing | null => {
  const { _tag, envelope } = message as Message.Outgoing<Rpc.Any>
  const isAsk =
    _tag === "OutgoingRequest" &&
    envelope._tag === "Request" &&
    envelope.address.entityType === JourneyEntity.type &&
    envelope.tag === askOnTheWire
  return isAsk && !hasPhoto(message as Outgoing) ? (message as Outgoing) : null
}

/** How a node of an earlier version answers: it has handled nothing of it. */
const isUnknownCall = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && String(reason.defect).includes("Unknown request tag"))

/** Keeps what is sent in this turn of the event loop, by the node. Each sender gets what takes its message out again while it waits here. */
const makeGathering = (flush: (address: Address, all: ReadonlyArray<Sent>) => void) => {
  const gathered = new Map<string, Array<Sent>>()
  const handOver = (address: Address, key: string): void => {
    const all = gathered.get(key) ?? []
    gathered.delete(key)
    if (all.length > 0) flush(address, all)
  }
  return (address: Address, sent: Sent): (() => void) => {
    const key = String(address)
    const there = gathered.get(key)
    if (there === undefined) {
      gathered.set(key, [sent])
      setImmediate(() => handOver(address, key))
    } else {
      there.push(sent)
      if (there.length === clusterLimits.mostMessagesTogether) handOver(address, key)
    }
    return () => {
      const waiting = gathered.get(key)
      if (waiting?.includes(sent) === true) waiting.splice(waiting.indexOf(sent), 1)
    }
  }
}

/** Tells the sender how its message ended. */
const hearEnd = (
  { hear, message }: Sent,
  exit: MessageEnd["exit"],
  codecFor: Runners.RpcClientProtocol["Service"]["codecFor"]
): void =>
  hear(
    Exit.isSuccess(exit)
      ? Schema.decodeEffect(Reply.Reply(message.rpc, codecFor))(exit.value).pipe(
          Effect.provideContext(message.context),
          Effect.orDie,
          Effect.flatMap(message.respond)
        )
      : Effect.failCause(exit.cause)
  )

const makeClient = RpcClient.make(GatheredMessages, { spanPrefix: "Runners", disableTracing: true })

/** A connection to each node for calls of many messages, beside that of the cluster for all else. */
const makeConnections = Effect.gen(function* () {
  const protocols = yield* Runners.RpcClientProtocol
  const { codecFor } = protocols
  const clients = yield* RcMap.make({
    lookup: (address: Address) =>
      Effect.flatMap(protocols.make(address), (protocol) =>
        Effect.provideService(makeClient, RpcClient.Protocol, protocol)
      ),
    idleTimeToLive: clusterLimits.gatheredConnectionKept
  })
  return {
    /** Sends all of them, and ends when each has been answered or none can be any more. */
    send: Effect.fnUntraced(function* (address: Address, all: ReadonlyArray<Sent>) {
      const client = yield* RcMap.get(clients, address)
      const answers = yield* client.Messages({ requests: all.map(({ request }) => request) }, { asQueue: true })
      return yield* Queue.take(answers).pipe(
        Effect.map((ended) => {
          for (const { at, exit } of ended) if (all[at] !== undefined) hearEnd(all[at], exit, codecFor)
        }),
        Effect.forever
      )
    }, Effect.scoped),
    codecFor,
    forget: (address: Address) => RcMap.invalidate(clients, address)
  }
})

/** Nodes that did not know a call of many messages. A newer version may take the address of one, so it is asked anew after a while. */
const makeEarlierVersions = (clock: Clock.Clock) => {
  const until = new Map<string, number>()
  return {
    note: (address: Address): void => {
      until.set(String(address), clock.currentTimeMillisUnsafe() + clusterLimits.askAgainWhetherGathers)
    },
    include: (address: Address): boolean => clock.currentTimeMillisUnsafe() < (until.get(String(address)) ?? 0)
  }
}

/** Sends as the cluster does, and messages to journeys together. */
export const make = Effect.fnUntraced(function* (
  cluster: Cluster
): Effect.fn.Return<
  Pick<Cluster, "send" | "onRunnerUnavailable">,
  never,
  Runners.RpcClientProtocol | Effect.Services<typeof Effect.scope>
> {
  const connections = yield* makeConnections
  const run = yield* FiberSet.makeRuntime()
  const earlier = makeEarlierVersions(yield* Clock.Clock)

  /** Whoever has heard nothing by now hears that the node is away, or of our own mistake. The first answer is the one that is heard. */
  const end = (
    address: Address,
    all: ReadonlyArray<Sent>,
    written: SendAttempts,
    cause: Cause.Cause<unknown>
  ): void => {
    if (!isUnknownCall(cause)) {
      const answer = Cause.hasDies(cause)
        ? Effect.failCause(cause as Cause.Cause<never>)
        : Effect.fail(new ClusterError.RunnerUnavailable({ address }))
      for (const { hear } of all) hear(answer)
      return
    }
    earlier.note(address)
    for (const { attempts, hear, message } of all) {
      for (const one of attempts) one.mayHaveArrived -= written.mayHaveArrived
      hear(cluster.send({ address, message }))
    }
  }

  const flush = (address: Address, all: ReadonlyArray<Sent>): void => {
    const written: SendAttempts = { mayHaveArrived: 0 }
    run(
      connections.send(address, all).pipe(
        Effect.provideService(CurrentSendAttempts, [written, ...all.flatMap(({ attempts }) => attempts)]),
        Effect.onExit((exit) =>
          Effect.sync(() => end(address, all, written, Exit.isFailure(exit) ? exit.cause : Cause.empty))
        ),
        Effect.ignoreCause
      )
    )
  }
  const gather = makeGathering(flush)

  const sendAlong = (address: Address, message: Outgoing): Effect.Effect<void, SendError> =>
    Effect.flatMap(Effect.orDie(Message.serializeRequest(message, connections.codecFor)), (request) =>
      Effect.flatMap(CurrentSendAttempts, (attempts) =>
        Effect.callback<void, SendError>((hear) => {
          const leave = gather(address, { message, request, attempts, hear })
          // The cluster tells the journey's node that nobody waits for the answer any more.
          return Effect.sync(leave)
        })
      )
    )

  return {
    send: ({ address, message }) => {
      const along = earlier.include(address) ? null : thatGoesAlong(message)
      return along === null ? cluster.send({ address, message }) : sendAlong(address, along)
    },
    onRunnerUnavailable: (address) => Effect.andThen(connections.forget(address), cluster.onRunnerUnavailable(address))
  }
})

/**
 * The door of this node for messages that other nodes send to its journeys. They come to the same residents that this node's own
 * messages go to.
 *
 * The cluster would build an actor (an Entity) for each journey that gets a message, with scopes, fibers and a server of its own, and tear it
 * down again: about a tenth of the CPU time of a decision where two nodes share the journeys. So the server for other nodes hands a message of
 * a shard that this node holds straight to the journey. What passes between nodes is what the Entity itself would send and take, so nodes of
 * earlier versions understand it and are understood. The Entity remains for what the cluster itself hands over: messages that waited until
 * this node had their shard.
 */
import { Context, Effect, Layer, Schema, Tracer } from "effect"
import { Entity, Reply, Sharding, type Message } from "effect/cluster"
import type { RpcGroup } from "effect/rpc"
import { JourneyId } from "../../../schema/ids.ts"
import type { OutcomeUnknown } from "../../kernel/StoreError.ts"
import { askOnTheWire, JourneyEntity, JourneyRequest, JourneyUnavailable, type Answer } from "./JourneyEntity.ts"
import { JourneyResidents, type JourneyBehaviour } from "./JourneyResidents.ts"
import { journeyActorLimits } from "./limits.ts"

type Residents = JourneyResidents["Service"]

type JourneyRpc = RpcGroup.Rpcs<typeof JourneyEntity.protocol>

/** A message as another node sent it: its payload is not decoded yet. */
type Incoming = Message.IncomingRequest<JourneyRpc>

type Handling<A> = Effect.Effect<A, JourneyUnavailable | OutcomeUnknown>

const handTo = <A>(residents: Residents, journeyId: JourneyId, message: (journey: JourneyBehaviour) => Handling<A>) =>
  Effect.catchTag(residents.hand(journeyId, message), "JourneyBusy", () => Effect.fail(new JourneyUnavailable()))

/** The span in which the sender asked goes on here. A trace that is not kept needs no span of its own. */
const inSenderSpan = <A, E>({ envelope }: Incoming, handling: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  const { sampled = false, spanId, tag, traceId } = envelope
  if (spanId === undefined || traceId === undefined) return handling
  const parent = Tracer.externalSpan({ traceId, spanId, sampled })
  return sampled
    ? Effect.withSpan(handling, `Journey.${tag}`, { parent, kind: "server", captureStackTrace: false })
    : Effect.withParentSpan(handling, parent)
}

/** A message that cannot be read is a defect, of which its sender hears. */
const handlingOf = (residents: Residents, { codecFor, envelope }: Incoming): Handling<Answer | void> => {
  const { address, payload, tag } = envelope
  const journeyId = JourneyId.make(address.entityId)
  if (tag !== askOnTheWire) return handTo(residents, journeyId, (journey) => journey.wake)
  return Schema.decodeUnknownEffect(codecFor(JourneyRequest))(payload).pipe(
    Effect.orDie,
    Effect.flatMap((request) => handTo(residents, journeyId, (journey) => journey.ask(request)))
  )
}

const requests: ReadonlyMap<string, JourneyRpc> = JourneyEntity.protocol.requests

/** Has the journey handle the message, and answers it. */
const take = (residents: Residents, sharding: Sharding.Sharding["Service"], incoming: Incoming, rpc: JourneyRpc) =>
  inSenderSpan(incoming, handlingOf(residents, incoming)).pipe(
    Effect.setContext(residents.context()),
    Effect.exit,
    Effect.zipWith(sharding.getSnowflake, (exit, id) => {
      const reply = new Reply.WithExit<JourneyRpc>({ requestId: incoming.envelope.requestId, id, exit })
      return new Reply.ReplyWithContext<JourneyRpc>({ reply, rpc, context: Context.empty() })
    }),
    Effect.flatMap(incoming.respond),
    Effect.orDie
  )

/**
 * The cluster as the server for other nodes sees it. Whether this node holds the journey's shard is asked when the message comes, as it is
 * for this node's own messages; afterwards the version in the row decides. Where it does not hold the shard, the cluster waits for
 * the shard or refuses the message.
 */
export const layerForOtherNodes: Layer.Layer<Sharding.Sharding, never, Sharding.Sharding | JourneyResidents> =
  Layer.effect(
    Sharding.Sharding,
    Effect.gen(function* () {
      const sharding = yield* Sharding.Sharding
      const residents = yield* JourneyResidents
      return Sharding.Sharding.of({
        ...sharding,
        send: (message) => {
          const { address } = message.envelope
          if (address.entityType !== JourneyEntity.type || !residents.isRunning()) return sharding.send(message)
          // Who stops waiting ends the call, and the handling with it. The cluster says so once more, and would build an Entity for that.
          if (message._tag === "IncomingEnvelope") return Effect.void
          const rpc = requests.get(message.envelope.tag)
          return rpc !== undefined && sharding.hasShardId(address.shardId)
            ? take(residents, sharding, message, rpc)
            : sharding.send(message)
        }
      })
    })
  )

/** The journeys of this node, as the cluster itself reaches them. */
export const layer = JourneyEntity.toLayer(
  Effect.gen(function* () {
    const residents = yield* JourneyResidents
    const { entityId } = yield* Entity.CurrentAddress
    const journeyId = JourneyId.make(entityId)
    return JourneyEntity.of({
      [askOnTheWire]: ({ payload }) => handTo(residents, journeyId, (journey) => journey.ask(payload)),
      Wake: () => handTo(residents, journeyId, (journey) => journey.wake)
    })
  }),
  {
    maxIdleTime: journeyActorLimits.idleTime,
    mailboxCapacity: journeyActorLimits.mailboxCapacity,
    disableFatalDefects: true
  }
)

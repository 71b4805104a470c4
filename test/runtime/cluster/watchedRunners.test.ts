/** Which attempts of a message count as arrived. What a sender may say by that count is tested where messages are sent. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ClusterError, Envelope, Message, MessageStorage, Runners, ShardingConfig, Snowflake } from "effect/cluster"
import { EntityAddress, EntityId, EntityType, ShardId } from "effect/cluster"
import { CurrentSendAttempts, type SendAttempts } from "../../../src/actors/journey/actor/SendAttempts.ts"
import * as WatchedRunners from "../../../src/runtime/cluster/watchedRunners.ts"

const address = EntityAddress.make({
  shardId: ShardId.make("default", 1),
  entityType: EntityType.make("Journey"),
  entityId: EntityId.make("journey")
})
const id = Snowflake.Snowflake(1n)
const envelope = new Envelope.AckChunk({ id, address, requestId: id, replyId: id })
const message = new Message.OutgoingEnvelope({ envelope, rpc: null as never })

type Refusal = ClusterError.MailboxFull | ClusterError.EntityNotAssignedToRunner | ClusterError.AlreadyProcessingMessage

/** The count after these attempts, of which each was taken (null) or refused. */
const countAfter = (...attempts: ReadonlyArray<Refusal | null>) =>
  Effect.gen(function* () {
    const runners = yield* Runners.Runners
    const count: SendAttempts = { mayHaveArrived: 0 }
    for (const refusal of attempts) {
      const send = () => (refusal === null ? Effect.void : Effect.fail(refusal))
      yield* runners
        .sendLocal({ message, send, simulateRemoteSerialization: false })
        .pipe(Effect.provideService(CurrentSendAttempts, count), Effect.ignore)
    }
    return count.mayHaveArrived
  }).pipe(
    Effect.provide(WatchedRunners.layerLocal.pipe(Layer.provide([MessageStorage.layerNoop, ShardingConfig.layer()])))
  )

describe("an attempt to send a message", () => {
  it.effect("counts when its actor may have it", () =>
    Effect.gen(function* () {
      expect(yield* countAfter(null)).toBe(1)
      expect(yield* countAfter(null, null)).toBe(2)
    })
  )

  it.effect.each([
    new ClusterError.MailboxFull({ address }),
    new ClusterError.EntityNotAssignedToRunner({ address }),
    new ClusterError.AlreadyProcessingMessage({ address, envelopeId: id })
  ])("does not count when its actor's node refused it, and leaves the count of those before: $_tag", (refusal) =>
    Effect.gen(function* () {
      expect(yield* countAfter(refusal)).toBe(0)
      expect(yield* countAfter(null, refusal)).toBe(1)
    })
  )
})

/** The actors of endpoints, ready to be registered with a cluster: every message of the protocol goes to its actor. */
import { Effect } from "effect"
import { Entity } from "effect/cluster"
import * as EndpointActor from "./EndpointActor.ts"
import { EndpointEntity } from "./EndpointEntity.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { EndpointId } from "../../../schema/ids.ts"

const residence = { maxIdleTime: webhookLimits.idleTime, mailboxCapacity: webhookLimits.mailboxCapacity }

export const layer = EndpointEntity.toLayer(
  Effect.gen(function* () {
    const address = yield* Entity.CurrentAddress
    const actor = yield* EndpointActor.make(EndpointId.make(address.entityId))
    return EndpointEntity.of({
      Wake: ({ payload }) => actor.look(payload.resend),
      Changed: () => actor.changed,
      Attempt: ({ payload }) => actor.attempt(payload.eventId)
    })
  }),
  // A test attempt takes as long as the endpoint takes. Wake-ups must not wait for it.
  { ...residence, concurrency: "unbounded", disableFatalDefects: true }
)

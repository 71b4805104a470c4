/** Endpoints' actors, ready to be registered with a cluster: each letter of the protocol handed to the actor it is for. */
import { Effect } from "effect"
import { Entity } from "effect/cluster"
import * as EndpointActor from "./EndpointActor.ts"
import { EndpointEntity } from "./EndpointEntity.ts"
import { idleTime, mailboxCapacity } from "./supervision.ts"

export const layer = EndpointEntity.toLayer(
  Effect.gen(function* () {
    const address = yield* Entity.CurrentAddress
    const actor = yield* EndpointActor.make(address.entityId)
    return EndpointEntity.of({
      Wake: ({ payload }) => actor.look(payload.resend),
      Changed: () => actor.changed,
      Attempt: ({ payload }) => actor.attempt(payload.eventId)
    })
  }),
  // A test takes as long as the endpoint takes; it must not keep wake-ups waiting.
  { maxIdleTime: idleTime, mailboxCapacity, concurrency: "unbounded", disableFatalDefects: true }
)

/** How the rest of the service sends messages to the actors of endpoints, on any node. Every message has a time limit. */
import { Context, Effect, Layer } from "effect"
import type { Sharding } from "effect/cluster"
import { StoreUnavailable } from "../../kernel/StoreError.ts"
import { EndpointEntity } from "./EndpointEntity.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import type { EndpointId, EventId } from "../../../schema/ids.ts"

export class EndpointMailbox extends Context.Service<
  EndpointMailbox,
  {
    /**
     * Has the actor look for what is due. `resend`: a resend may go on, too. The next look at the tables makes up for a
     * message that gets lost.
     */
    readonly wake: (endpointId: EndpointId, resend: boolean) => Effect.Effect<void>
    /** Returns when the actor knows that its settings have changed, or when the time is over. */
    readonly changed: (endpointId: EndpointId) => Effect.Effect<void>
    /** Makes a test attempt of this delivery now. Returns when the attempt is in the log. */
    readonly attempt: (endpointId: EndpointId, eventId: EventId) => Effect.Effect<void, StoreUnavailable>
  }
>()("journeys/actors/EndpointMailbox") {}

const inTimeOrLogged =
  (what: string, endpointId: EndpointId) =>
  <A, E>(answer: Effect.Effect<A, E>) =>
    answer.pipe(
      Effect.timeout(webhookLimits.wakeTimeout),
      Effect.catchCause((cause) =>
        Effect.logDebug(`A message did not reach the actor of an endpoint: ${what}`, { endpointId }, cause)
      ),
      Effect.asVoid
    )

export const layer: Layer.Layer<EndpointMailbox, never, Sharding.Sharding> = Layer.effect(
  EndpointMailbox,
  Effect.map(EndpointEntity.client, (clientFor) =>
    EndpointMailbox.of({
      wake: (endpointId, resend) => clientFor(endpointId).Wake({ resend }).pipe(inTimeOrLogged("wake", endpointId)),
      changed: (endpointId) => clientFor(endpointId).Changed().pipe(inTimeOrLogged("changed", endpointId)),
      attempt: (endpointId, eventId) =>
        clientFor(endpointId)
          .Attempt({ eventId })
          .pipe(
            Effect.mapError((cause) => new StoreUnavailable({ cause })),
            Effect.timeoutOrElse({
              duration: webhookLimits.testAttemptTimeout,
              orElse: () => Effect.fail(new StoreUnavailable({ cause: "the attempt was not recorded in time" }))
            })
          )
    })
  )
)

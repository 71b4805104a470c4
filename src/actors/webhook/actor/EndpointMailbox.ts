/** How the rest of the service talks to endpoints' actors: a message in, an answer within a time. */
import { Context, Effect, Layer } from "effect"
import type { Sharding } from "effect/cluster"
import { StoreUnavailable } from "../../kernel/StoreError.ts"
import { EndpointEntity } from "./EndpointEntity.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"

export class EndpointMailbox extends Context.Service<
  EndpointMailbox,
  {
    /**
     * Has the actor look for what is due; `resend`: go on with a resend, too. A message that gets lost is made good by
     * the next look at the tables.
     */
    readonly wake: (endpointId: string, resend: boolean) => Effect.Effect<void>
    /** Returns when the actor knows that its settings changed, or could not be told in time. */
    readonly changed: (endpointId: string) => Effect.Effect<void>
    /** Makes an attempt of this delivery now; returns when it is in the log. */
    readonly attempt: (endpointId: string, eventId: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("journeys/actors/EndpointMailbox") {}

const told =
  (what: string, endpointId: string) =>
  <A, E>(asked: Effect.Effect<A, E>) =>
    asked.pipe(
      Effect.timeout(webhookLimits.wakeTimeout),
      Effect.catchCause((cause) => Effect.logDebug(`An endpoint could not be told: ${what}`, { endpointId }, cause)),
      Effect.asVoid
    )

export const layer: Layer.Layer<EndpointMailbox, never, Sharding.Sharding> = Layer.effect(
  EndpointMailbox,
  Effect.map(EndpointEntity.client, (clientFor) =>
    EndpointMailbox.of({
      wake: (endpointId, resend) => clientFor(endpointId).Wake({ resend }).pipe(told("wake", endpointId)),
      changed: (endpointId) => clientFor(endpointId).Changed().pipe(told("changed", endpointId)),
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

/**
 * The port to the deliveries of an endpoint, as its actor works them off. The store promises two things: every event that
 * the endpoint wanted has a delivery, written by the commit that wrote the event; and an attempt is recorded once. Times
 * are epoch milliseconds, given by the caller.
 */
import { Context, type Effect } from "effect"
import type { CommitUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { WebhookAttemptOutcome } from "../rules/attemptOutcome.ts"
import type { DuePlace, DueWebhookDelivery } from "../rules/DueWebhookDelivery.ts"
import type { Endpoint } from "../rules/Endpoint.ts"
import type { ResendProgress } from "../rules/EndpointMessage.ts"
import type { HealthChange } from "../rules/healthChanges.ts"
import type { EndpointId, EventId } from "../../../schema/ids.ts"

export interface DueAsk {
  readonly endpointId: EndpointId
  readonly now: number
  /** Only deliveries behind this place; null: from the oldest on. */
  readonly after: DuePlace | null
  readonly limit: number
}

export type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class WebhookDeliveryStore extends Context.Service<
  WebhookDeliveryStore,
  {
    readonly endpoint: (endpointId: EndpointId) => Effect.Effect<Endpoint | null, StoreUnavailable>
    /** What is due, oldest first. */
    readonly due: (ask: DueAsk) => Effect.Effect<ReadonlyArray<DueWebhookDelivery>, StoreUnavailable>
    /** One delivery, due or not; null when there is none. */
    readonly one: (
      endpointId: EndpointId,
      eventId: EventId
    ) => Effect.Effect<DueWebhookDelivery | null, StoreUnavailable>
    /** Writes attempts into the log and brings their deliveries up to date: all of them, or none. */
    readonly record: (outcomes: ReadonlyArray<WebhookAttemptOutcome>) => Writing<void>
    /** Writes the health and its mail together, unless the endpoint was saved in between. */
    readonly changeHealth: (change: HealthChange) => Writing<void>
    /** Parks some of what is pending at an endpoint that is off; false when nothing was left to park. */
    readonly park: (endpointId: EndpointId) => Writing<boolean>
    /** Makes the next events of a running resend due, as far as there is room. */
    readonly resendMore: (endpointId: EndpointId, now: number) => Writing<ResendProgress>
  }
>()("journeys/actors/DeliveryStore") {}

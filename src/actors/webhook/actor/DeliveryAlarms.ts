/**
 * The port that makes endpoints' actors prompt: the durable truth is each delivery's due time; this only says that an
 * endpoint has something due right now, so that nobody waits for the next look.
 */
import { Context } from "effect"

export class DeliveryAlarms extends Context.Service<
  DeliveryAlarms,
  {
    /** Called on the way of every commit: it must neither wait nor fail. */
    readonly dueNow: (endpointId: string) => void
  }
>()("journeys/actors/DeliveryAlarms") {}

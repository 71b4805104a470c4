/**
 * The port that wakes an endpoint's actor as soon as a commit has made something due. The due time in the table is what
 * counts: a call that gets lost delays a delivery until the next look at the table.
 */
import { Context } from "effect"
import type { EndpointId } from "../../../schema/ids.ts"

export class WebhookDeliveryAlarms extends Context.Service<
  WebhookDeliveryAlarms,
  {
    /** Every commit calls it, so it does not wait and cannot fail. */
    readonly dueNow: (endpointId: EndpointId) => void
  }
>()("journeys/actors/DeliveryAlarms") {}

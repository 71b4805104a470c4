/**
 * The protocol of an endpoint's actor: one an endpoint, wherever it lives. The behaviour is in `EndpointActor.ts`.
 * Messages are volatile: what is due stands in the deliveries, and whoever lost a message looks there again.
 */
import { Schema } from "effect"
import { ClusterSchema, Entity } from "effect/cluster"
import { Rpc } from "effect/rpc"

/** The attempt cannot be made or recorded now; its delivery stands as it was and is due as it was. */
export class EndpointUnavailable extends Schema.TaggedError<EndpointUnavailable>()("EndpointUnavailable", {}) {}

export const EndpointEntity = Entity.make("Endpoint", [
  /** Something is due, or a resend can go on. Answered at once. */
  Rpc.make("Wake", { payload: { resend: Schema.Boolean } }),
  /** Its settings changed: nothing may be sent by the old ones from here on. */
  Rpc.make("Changed"),
  /** Makes an attempt of this delivery now, whatever else waits; answered when it is in the log. */
  Rpc.make("Attempt", { payload: { eventId: Schema.String }, error: EndpointUnavailable })
]).annotateRpcs(ClusterSchema.Persisted, false)

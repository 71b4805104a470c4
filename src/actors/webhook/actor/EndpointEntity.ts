/**
 * The protocol of an endpoint's actor. Each endpoint has one actor, on any of the nodes. The behaviour is in
 * `EndpointActor.ts`. Messages are not stored: what is due stands in the table, where the next look finds it.
 */
import { Schema } from "effect"
import { ClusterSchema, Entity } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { EventId } from "../../../schema/ids.ts"

/** The attempt cannot be made or recorded now. Its delivery stays due as it was. */
export class EndpointUnavailable extends Schema.TaggedError<EndpointUnavailable>()("EndpointUnavailable", {}) {}

export const EndpointEntity = Entity.make("Endpoint", [
  /** Something may be due, or a resend may go on. Answered at once. */
  Rpc.make("Wake", { payload: { resend: Schema.Boolean } }),
  /** The settings have changed. When this is answered, nothing more is sent by the old ones. */
  Rpc.make("Changed"),
  /** Makes a test attempt of this delivery now, before everything that waits. Answered when the attempt is in the log. */
  Rpc.make("Attempt", { payload: { eventId: EventId }, error: EndpointUnavailable })
]).annotateRpcs(ClusterSchema.Persisted, false)

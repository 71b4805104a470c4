/** The nodes that run actors, as the operator sees them. A node that only takes requests is not among them. */
import { Schema } from "effect"

export const RunnerResource = Schema.Struct({
  address: Schema.NullOr(Schema.String).annotate({
    description: "Where the other nodes reach it; null for a node that is alone"
  }),
  healthy: Schema.Boolean.annotate({ description: "Whether the others count on it" }),
  since: Schema.NullOr(Schema.String).annotate({
    description: "When it registered; null for a node of an earlier version"
  }),
  shards: Schema.Int.annotate({ description: "The shards that it holds" })
}).annotate({ identifier: "Runner" })

export const RunnerListResource = Schema.Struct({
  nodes: Schema.Literals(["ONE", "SEVERAL"]).annotate({
    description: "ONE: REDIS_URL is unset, and this node is the whole service"
  }),
  answeredBy: Schema.NullOr(Schema.String).annotate({
    description: "The address of the runner that answers; null when a node without RUNNER_ADDRESS answers"
  }),
  shards: Schema.Int.annotate({ description: "Shards in all" }),
  shardsWithoutRunner: Schema.Int.annotate({ description: "Shards that nobody holds now: their journeys stand still" }),
  content: Schema.Array(RunnerResource)
}).annotate({ identifier: "RunnerList" })
export type RunnerListResource = typeof RunnerListResource.Type

/** The port to what the cluster knows of its runners: who they are, since when, and how many shards each holds. */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export interface ListedRunner {
  /** Null: a node that is alone, which nobody else reaches. */
  readonly address: string | null
  readonly healthy: boolean
  /** Epoch milliseconds. Null: a node of an earlier version does not say. */
  readonly since: number | null
  readonly shards: number
}

export class RunnerList extends Context.Service<
  RunnerList,
  {
    readonly nodes: "ONE" | "SEVERAL"
    /** The address of this node; null when it is alone, or runs no actors. */
    readonly answeredBy: string | null
    /** Shards in all. */
    readonly shards: number
    /** In the order of their addresses. Fails while nobody knows. */
    readonly runners: Effect.Effect<ReadonlyArray<ListedRunner>, StoreUnavailable>
  }
>()("journeys/actors/RunnerList") {}

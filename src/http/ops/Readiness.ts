/** The port to what this node knows about itself: whether it can do its work, and why not. Who asks is not told secrets. */
import { Context, type Effect } from "effect"

/**
 * `degraded`: something is slower or poorer than it should be, and what the service promises holds all the same; a
 * degraded node is ready.
 */
export interface Check {
  readonly status: "ok" | "degraded" | "failed"
  /** For people: what it is, what stops because of it. */
  readonly message: string
  /** When it was first seen as it is; only of what is not ok. ISO 8601. */
  readonly since?: string
  /** Numbers behind it, by name with their unit. */
  readonly measured?: Readonly<Record<string, number>>
}

/** By name. */
export type Checks = Readonly<Record<string, Check>>

export class Readiness extends Context.Service<
  Readiness,
  {
    /** Answers within two seconds, whatever hangs, and looks at most once a second, however often it is asked. */
    readonly checks: Effect.Effect<Checks>
  }
>()("journeys/http/Readiness") {}

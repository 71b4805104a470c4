/** The port to what this node knows about itself: whether it can do its work, and why not. No check tells a secret. */
import { Context, type Effect } from "effect"

/** `degraded` says that something is slower or poorer than it should be. Every promise still holds, so the node is ready. */
export interface Check {
  readonly status: "ok" | "degraded" | "failed"
  /** For people: what is wrong, and what stops because of it. */
  readonly message: string
  /** When the present state was first seen (ISO 8601); the node looks every few seconds by itself. A check that is ok has none. */
  readonly since?: string
  /** The numbers behind the status. Their names say the unit. */
  readonly measured?: Readonly<Record<string, number>>
}

/** The checks by name. */
export type Checks = Readonly<Record<string, Check>>

export class Readiness extends Context.Service<
  Readiness,
  {
    /** Answers within two seconds even when something hangs, and looks at most once a second. */
    readonly checks: Effect.Effect<Checks>
  }
>()("journeys/http/Readiness") {}

/**
 * The port to the sessions of signed-in customers (decision X5): each is bound to one journey, ends after half an hour
 * without a request, and after twelve hours in any case. Whoever holds the secret is the customer.
 */
import { Context, Duration, type Effect } from "effect"
import type { Scope } from "../kernel/Scope.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export const idleFor = Duration.minutes(30)
export const atMostFor = Duration.hours(12)

export interface Session {
  readonly journeyId: string
  readonly scope: Scope
}

/** A session just opened, with its secret: the only time it is told. */
export interface SignedIn {
  readonly secret: string
  readonly journeyId: string
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /** The session of a secret, if it still lives; it lives on from now. */
    readonly find: (secret: string) => Effect.Effect<Session | null, StoreUnavailable>
    readonly end: (secret: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("journeys/customer/Sessions") {}

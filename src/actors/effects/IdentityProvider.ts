/**
 * The port to a company's outside identity provider: one attempt to have a check started. The customer goes to the page
 * it answers with; the result comes back later, as a callback. Checks made here are `IdentityAttempts.ts`'s.
 */
import { Context, Data, type Effect } from "effect"
import type { Provider } from "../company/providers.ts"

/** The provider will not start this check, however often it is asked. */
export class ProviderRefused extends Data.TaggedError("ProviderRefused")<{ readonly status: number }> {}

/** Nobody knows whether the provider has started it, or it answered without a usable page. `reason` is for the log. */
export class ProviderUnreachable extends Data.TaggedError("ProviderUnreachable")<{ readonly reason: string }> {}

export interface CheckStart {
  /** The same at every attempt. */
  readonly checkId: string
  readonly journeyId: string
  /** Where the provider sends the customer back to. */
  readonly returnUrl: string
  readonly provider: Provider
}

export class IdentityProvider extends Context.Service<
  IdentityProvider,
  {
    /** The page the customer is sent to. */
    readonly start: (
      start: CheckStart
    ) => Effect.Effect<{ readonly url: string }, ProviderRefused | ProviderUnreachable>
  }
>()("journeys/actors/IdentityProvider") {}

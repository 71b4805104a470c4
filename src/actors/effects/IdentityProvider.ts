/**
 * The port to a company's outside identity provider: one attempt to have a check started. The customer goes to the page
 * that the provider answers with; the result comes back later, as a callback. `../checks` makes the built-in check.
 */
import { Context, Data, type Effect } from "effect"
import type { CheckedCustomer } from "../journey/rules/checkedCustomer.ts"
import type { Provider } from "../company/providers.ts"
import type { CheckId, JourneyId } from "../../schema/ids.ts"

/** The provider will not start this check, however often it is asked. */
export class ProviderRefused extends Data.TaggedError("ProviderRefused")<{ readonly status: number }> {}

/**
 * Nobody knows whether the provider has started the check, or the provider answered without a usable page. `reason` is a
 * code for the log.
 */
export class ProviderUnreachable extends Data.TaggedError("ProviderUnreachable")<{ readonly reason: string }> {}

export interface CheckStart {
  /** The same at every attempt. */
  readonly checkId: CheckId
  readonly journeyId: JourneyId
  /** The provider sends the customer back to this page. */
  readonly returnUrl: string
  readonly provider: Provider
  readonly customer: CheckedCustomer
}

export class IdentityProvider extends Context.Service<
  IdentityProvider,
  {
    /** Answers with the page to which the customer is sent. */
    readonly start: (
      start: CheckStart
    ) => Effect.Effect<{ readonly url: string }, ProviderRefused | ProviderUnreachable>
  }
>()("journeys/actors/IdentityProvider") {}

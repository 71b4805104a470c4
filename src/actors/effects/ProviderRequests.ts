/**
 * The port that remembers what outside providers were asked, and which callbacks they sent. A request is written before the
 * provider hears of it: a callback that arrives before our own call has returned still finds its request. What a callback
 * means is the journey's decision.
 */
import { Context, type Effect } from "effect"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { Company } from "../../schema/company/Company.ts"
import type { CheckId, CompanyId, JourneyId } from "../../schema/ids.ts"
import type { RequestIds } from "./requestIds.ts"

interface About {
  readonly journeyId: JourneyId
  readonly companyId: CompanyId
}

/** What a provider is asked. `check` says which check of the journey this is: the first is 0 (D5). */
export type NewRequest = About & ({ readonly kind: "FINANCE" } | { readonly kind: "IDENTITY"; readonly check: number })

/** The provider knows the request by its id: the id of the submission, or of the check. */
export type ProviderRequest = About &
  (
    | { readonly kind: "FINANCE"; readonly id: string }
    | { readonly kind: "IDENTITY"; readonly id: CheckId; readonly check: number }
  )

/** A request with its company's present configuration: the secret in it proves that a callback comes from the provider. */
export interface KnownRequest {
  readonly request: ProviderRequest
  readonly company: Pick<Company, "id" | "identityProvider" | "financePanel">
}

/** A verified callback. `messageId` is derived from the provider's own id of the callback; `said` is its decision or result. */
export interface Callback {
  readonly requestId: string
  readonly messageId: string
  readonly said: string
  readonly at: number
}

export class ProviderRequests extends Context.Service<
  ProviderRequests,
  {
    /**
     * Answers with the id under which the provider is asked: the unmarked one if it was asked under that before. The same
     * request a second time changes nothing.
     */
    readonly begin: (
      ids: RequestIds,
      request: NewRequest,
      at: number
    ) => Effect.Effect<string, StoreUnavailable | CommitUnknown>
    /** An id without a mark is looked up only as long as requests from before marks may be answered. */
    readonly find: (kind: ProviderRequest["kind"], id: string) => Effect.Effect<KnownRequest | null, StoreUnavailable>
    /**
     * NEW: it is not certain that the journey has heard the callback. HEARD: the journey has heard it. TOO_MANY: the
     * request has too many callbacks, and this one was not written.
     */
    readonly hear: (callback: Callback) => Effect.Effect<"NEW" | "HEARD" | "TOO_MANY", StoreUnavailable | CommitUnknown>
    readonly heard: (
      callback: Callback,
      outcome: "APPLIED" | "IGNORED"
    ) => Effect.Effect<void, StoreUnavailable | CommitUnknown>
  }
>()("journeys/actors/ProviderRequests") {}

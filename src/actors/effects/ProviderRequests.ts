/**
 * The port that remembers what outside providers were asked, and what they called back with. A request is written before
 * the provider hears of it, so that a callback which comes before our own call returned finds it. What a callback means
 * is the journey's business.
 */
import { Context, type Effect } from "effect"
import type { Company } from "../company/CompanyStore.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

interface About {
  /** What the provider knows it by: the submission's or the check's id. */
  readonly id: string
  readonly journeyId: string
  readonly companyId: string
}

/** `check` is the number of the ask (D5). */
export type ProviderRequest = About &
  ({ readonly kind: "FINANCE" } | { readonly kind: "IDENTITY"; readonly check: number })

/** A request with what its company has configured now: its secret proves that a callback is genuine. */
export interface KnownRequest {
  readonly request: ProviderRequest
  readonly company: Pick<Company, "id" | "identityProvider" | "financePanel">
}

/** A genuine callback; `messageId` is derived from the provider's own id of it, `said` is its decision or result. */
export interface Callback {
  readonly requestId: string
  readonly messageId: string
  readonly said: string
  readonly at: number
}

export class ProviderRequests extends Context.Service<
  ProviderRequests,
  {
    /** The same request again changes nothing. */
    readonly begin: (request: ProviderRequest, at: number) => Effect.Effect<void, StoreUnavailable | CommitUnknown>
    readonly find: (kind: ProviderRequest["kind"], id: string) => Effect.Effect<KnownRequest | null, StoreUnavailable>
    /** NEW: nobody has been told of it for certain. HEARD: it has had its effect, or none. TOO_MANY: not written. */
    readonly hear: (callback: Callback) => Effect.Effect<"NEW" | "HEARD" | "TOO_MANY", StoreUnavailable | CommitUnknown>
    readonly heard: (
      callback: Callback,
      outcome: "APPLIED" | "IGNORED"
    ) => Effect.Effect<void, StoreUnavailable | CommitUnknown>
  }
>()("journeys/actors/ProviderRequests") {}

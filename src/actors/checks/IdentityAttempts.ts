/**
 * The port to the identity check as the customer meets it: by which way this journey's check is done, and one attempt
 * of the built-in one with its outcome. An attempt tells the journey itself; the photos are kept by nobody but, sealed,
 * whoever checks the video later.
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable, OutcomeUnknown } from "../kernel/StoreError.ts"

/** Attempts of one customer in a day (D3). */
export const mostAttemptsADay = 5

export type IdentityWay =
  | { readonly _tag: "BUILT_IN" }
  /** The provider's page for this check. */
  | { readonly _tag: "PROVIDER"; readonly url: string }
  /** The check is not ready yet, or cannot be started. */
  | { readonly _tag: "NOT_READY" }

export type IdentityPhoto = "documentPhoto" | "selfie"

export type AttemptOutcome =
  | { readonly _tag: "VERIFIED" }
  | { readonly _tag: "UNDER_REVIEW" }
  | { readonly _tag: "FAILED" }
  /** A photo that cannot be judged: no attempt was made of it. `rule` ends a sentence about it: "shows no face". */
  | { readonly _tag: "UNREADABLE"; readonly which: IdentityPhoto; readonly rule: string }
  | { readonly _tag: "UNAVAILABLE" }
  | { readonly _tag: "TOO_MANY" }
  /** The journey no longer waits for a check. */
  | { readonly _tag: "NOT_ASKED" }

export class IdentityAttempts extends Context.Service<
  IdentityAttempts,
  {
    readonly way: (journeyId: string) => Effect.Effect<IdentityWay, StoreUnavailable>
    readonly attempt: (
      journeyId: string,
      documentPhoto: Uint8Array,
      selfie: Uint8Array
    ) => Effect.Effect<AttemptOutcome, StoreUnavailable | OutcomeUnknown>
  }
>()("journeys/customer/IdentityAttempts") {}

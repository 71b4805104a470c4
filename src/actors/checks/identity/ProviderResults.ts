/**
 * The port to what outside identity providers send with their results: the portrait of the customer, which becomes the face
 * that the handover video is compared with, and the provider's own page about the check. Both are kept sealed with the
 * customer's key, under the id of the message that told the journey the result. What a result means is decided elsewhere.
 */
import { Context, type Effect } from "effect"
import type { JourneyId } from "../../../schema/ids.ts"
import type { CommitUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { AskedCheck } from "./IdentityChecks.ts"

export interface KeptResult {
  readonly messageId: string
  readonly asked: AskedCheck
  readonly sealedPortrait: Uint8Array | null
  readonly sealedReviewUrl: Uint8Array | null
  readonly at: number
}

type Writing = Effect.Effect<void, StoreUnavailable | CommitUnknown>

export class ProviderResults extends Context.Service<
  ProviderResults,
  {
    /** Keeps what came with a result, once. Keeps nothing when the customer was erased. */
    readonly keep: (result: KeptResult) => Writing
    /** Removes what came with a result that the journey did not take. */
    readonly forget: (messageId: string) => Writing
    /** The provider's page about the check that waits for the team; null when there is none. */
    readonly reviewUrl: (journeyId: JourneyId) => Effect.Effect<string | null, StoreUnavailable>
  }
>()("journeys/actors/ProviderResults") {}

/** The places to which the sealed parts of a result are bound. */
export const portraitPlace = (messageId: string): string => `provider_results|${messageId}|portrait`
export const reviewUrlPlace = (messageId: string): string => `provider_results|${messageId}|review_url`

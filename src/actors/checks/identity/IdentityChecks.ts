/**
 * The port to the store of identity checks: the page at which an outside provider waits for the customer, and the attempts
 * at the built-in check with the photos that must be kept. Everything about the customer enters and leaves the store sealed
 * with the customer's key. What an attempt means for the journey is decided elsewhere.
 */
import { Context, type Effect } from "effect"
import type { Journey } from "../../journey/rules/state/Journey.ts"
import type { CommitUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { AttemptId, CheckId, JourneyId } from "../../../schema/ids.ts"

/** One check of one journey: a journey that asks for its check again counts one further (D5). */
export interface AskedCheck {
  readonly journeyId: JourneyId
  readonly check: number
}

export const askedCheckOf = ({ id, identity }: Pick<Journey, "id" | "identity">): AskedCheck => ({
  journeyId: id,
  check: identity === null || identity.status === "NOT_ASKED" ? 0 : (identity.check ?? 0)
})

/**
 * SAME_PICTURE: one picture was given as both photos. NOT_JUDGED: the photos could not be judged, so they do not count as an
 * attempt. Older attempts may also have NO_FACE.
 */
export type AttemptVerdict = "SAME" | "UNCLEAR" | "DIFFERENT" | "SAME_PICTURE" | "NOT_JUDGED"

/**
 * What is kept of an attempt: the selfie of a clear match, both photos of an unclear one, no photo of any other. The prints of
 * two judged pictures stay, so that each is known again.
 */
export interface JudgedAttempt {
  readonly id: AttemptId
  readonly verdict: AttemptVerdict
  readonly sealedDocument: Uint8Array | null
  readonly sealedSelfie: Uint8Array | null
  readonly sealedPrints: Uint8Array | null
}

type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class IdentityChecks extends Context.Service<
  IdentityChecks,
  {
    /** Keeps the provider's page in place of the page before. Keeps nothing when the customer was erased. */
    readonly keepPage: (checkId: CheckId, asked: AskedCheck, sealedUrl: Uint8Array, at: number) => Writing<void>
    readonly page: (
      asked: AskedCheck
    ) => Effect.Effect<{ readonly checkId: CheckId; readonly sealedUrl: Uint8Array } | null, StoreUnavailable>
    /** Whether an outside provider was asked to make this check, with or without success. */
    readonly isAtProvider: (asked: AskedCheck) => Effect.Effect<boolean, StoreUnavailable>
    /** Begins an attempt, unless the journey has used up its attempts of the last 24 hours. */
    readonly begin: (attemptId: AttemptId, asked: AskedCheck, at: number) => Writing<"BEGUN" | "TOO_MANY" | "NOT_ASKED">
    readonly judged: (attempt: JudgedAttempt) => Writing<void>
    /** How many attempts the journey has left of those of the last 24 hours. */
    readonly triesLeft: (journeyId: JourneyId, at: number) => Effect.Effect<number, StoreUnavailable>
    /** The prints of the journey's latest judged attempts. */
    readonly earlierPrints: (
      journeyId: JourneyId
    ) => Effect.Effect<ReadonlyArray<{ readonly attemptId: AttemptId; readonly sealed: Uint8Array }>, StoreUnavailable>
    /** Removes the photos of an attempt whose result the journey did not accept. */
    readonly withoutPhotos: (attemptId: AttemptId) => Writing<void>
  }
>()("journeys/actors/IdentityChecks") {}

/** The places to which the sealed parts of a check are bound. */
export const pagePlace = (checkId: CheckId): string => `identity_checks|${checkId}`
export const documentPlace = (attemptId: AttemptId): string => `identity_attempts|${attemptId}|document`
export const printsPlace = (attemptId: AttemptId): string => `identity_attempts|${attemptId}|prints`
export const selfiePlace = (attemptId: AttemptId): string => `identity_attempts|${attemptId}|selfie`

/**
 * The port to where identity checks are kept: the page an outside provider waits at, and the attempts made here with the
 * photos that must be kept of them. Everything of the customer comes sealed with their key and goes sealed. What an
 * attempt comes to is decided elsewhere.
 */
import { Context, type Effect } from "effect"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

/** Which ask of which journey (D5). */
export interface Ask {
  readonly journeyId: string
  readonly check: number
}

/** NO_FACE: a photo without one. NOT_JUDGED: the photos were of no use, so that it was no attempt. */
export type AttemptVerdict = "SAME" | "UNCLEAR" | "DIFFERENT" | "NO_FACE" | "NOT_JUDGED"

/** What is kept of an attempt: the selfie of a clear match, both photos of an unclear one, nothing of any other. */
export interface JudgedAttempt {
  readonly id: string
  readonly verdict: AttemptVerdict
  readonly sealedDocument: Uint8Array | null
  readonly sealedSelfie: Uint8Array | null
}

type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class IdentityChecks extends Context.Service<
  IdentityChecks,
  {
    /** The page where the provider waits for the customer, in place of the one before; none of who was erased. */
    readonly keepPage: (checkId: string, ask: Ask, sealedUrl: Uint8Array, at: number) => Writing<void>
    readonly page: (
      ask: Ask
    ) => Effect.Effect<{ readonly checkId: string; readonly sealedUrl: Uint8Array } | null, StoreUnavailable>
    /** Begins an attempt, unless the journey has had its attempts of the last 24 hours. */
    readonly begin: (attemptId: string, ask: Ask, at: number) => Writing<"BEGUN" | "TOO_MANY">
    readonly judged: (attempt: JudgedAttempt) => Writing<void>
    /** Keeps no photo of an attempt that the journey did not want to hear of. */
    readonly withoutPhotos: (attemptId: string) => Writing<void>
  }
>()("journeys/actors/IdentityChecks") {}

/** Where the sealed things of a check belong. */
export const pagePlace = (checkId: string): string => `identity_checks|${checkId}`
export const documentPlace = (attemptId: string): string => `identity_attempts|${attemptId}|document`
export const selfiePlace = (attemptId: string): string => `identity_attempts|${attemptId}|selfie`

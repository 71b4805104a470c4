/**
 * What to do when nobody knows whether a commit happened: hand the very same commit in again. A start is held apart by
 * its idempotency key and a message by its version, so the second try waits for the first if that is still under way
 * and then says what became of it; it can never happen twice.
 *
 * The second try may find the first one's work and report it as a rival's. Whoever asked must then look whether the
 * rival was itself, and cannot say "nothing was written" before it has looked: `unlessInDoubt`.
 */
import { Effect } from "effect"
import { type CommitUnknown, type StoreUnavailable, OutcomeUnknown } from "./StoreError.ts"
import { certainWithin, tryUnknownAgain } from "../journey/actor/supervision.ts"

/** The commit, tried until its outcome is certain. */
export const untilCertain = <A>(
  commit: Effect.Effect<A, StoreUnavailable | CommitUnknown>
): Effect.Effect<A, StoreUnavailable | OutcomeUnknown> =>
  Effect.catchTag(commit, "CommitUnknown", () =>
    commit.pipe(
      Effect.retry(tryUnknownAgain),
      Effect.mapError(() => new OutcomeUnknown())
    )
  )

/** `OutcomeUnknown` when the database stays away, or says nothing, for as long as whoever asked can wait. */
export const certainInTime = <A, E>(committing: Effect.Effect<A, E>): Effect.Effect<A, E | OutcomeUnknown> =>
  Effect.timeoutOrElse(committing, { duration: certainWithin, orElse: () => Effect.fail(new OutcomeUnknown()) })

/** After an answer that may have been about our own commit, a store that is away leaves the outcome unknown. */
export const unlessInDoubt = <A, E extends { readonly _tag: string }>(
  looking: Effect.Effect<A, E | StoreUnavailable>
): Effect.Effect<A, Exclude<E, StoreUnavailable> | OutcomeUnknown> =>
  Effect.mapError(looking, (error) =>
    error._tag === "StoreUnavailable" ? new OutcomeUnknown() : error
  ) as Effect.Effect<A, Exclude<E, StoreUnavailable> | OutcomeUnknown>

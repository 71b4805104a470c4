/**
 * What to do when nobody knows whether a commit happened: submit the very same commit again. A start carries an
 * idempotency key and a message carries a version, so a commit cannot happen twice: the second attempt waits for the
 * first one if the first one still runs, and then reports what became of it.
 *
 * The second attempt may find the work of the first attempt and report it as a rival's work. The caller must then check
 * whether the rival was the caller itself. Until then the caller cannot say "nothing was written": see
 * `unknownIfUnavailable`.
 */
import { Effect, Schedule } from "effect"
import { commitLimits } from "./limits.ts"
import { OutcomeUnknown, type CommitUnknown, type StoreUnavailable } from "./StoreError.ts"

/** Submits the commit again until its outcome is known. */
export const retryUntilKnown = <A>(
  commit: Effect.Effect<A, StoreUnavailable | CommitUnknown>
): Effect.Effect<A, StoreUnavailable | OutcomeUnknown> =>
  Effect.catchTag(commit, "CommitUnknown", () =>
    commit.pipe(
      Effect.retry(Schedule.spaced(commitLimits.retryEvery)),
      Effect.mapError(() => new OutcomeUnknown())
    )
  )

/** Fails with `OutcomeUnknown` when the database stays away, or stays silent, for as long as the caller can wait. */
export const unknownAfterTimeout = <A, E>(committing: Effect.Effect<A, E>): Effect.Effect<A, E | OutcomeUnknown> =>
  Effect.timeoutOrElse(committing, {
    duration: commitLimits.knownWithin,
    orElse: () => Effect.fail(new OutcomeUnknown())
  })

/** For a read that follows a commit in doubt: when the store is away, the outcome of the commit stays unknown. */
export const unknownIfUnavailable = <A, E extends { readonly _tag: string }>(
  reading: Effect.Effect<A, E | StoreUnavailable>
): Effect.Effect<A, Exclude<E, StoreUnavailable> | OutcomeUnknown> =>
  Effect.mapError(
    reading,
    (error) => (error._tag === "StoreUnavailable" ? new OutcomeUnknown() : error)
    // The compiler cannot see that the tag excludes StoreUnavailable from E.
  ) as Effect.Effect<A, Exclude<E, StoreUnavailable> | OutcomeUnknown>
